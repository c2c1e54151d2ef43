import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

const MINUTE = 60
const HOUR = 3_600

/** Seconds in words, rounded to a sensible precision. */
export function showSeconds(seconds: number): string {
  if (seconds < 1.5) return '1 second'
  if (seconds < 90) return `${Math.round(seconds)} seconds`
  if (seconds < 90 * MINUTE) return `${Math.round(seconds / MINUTE)} minutes`
  const hours = Math.round(seconds / HOUR)
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/**
 * The time of day of a moment, in this browser's time zone. If the moment isn't today, the day comes first: a page may
 * stay open overnight, and what it shows may be days old. With `isExact`, the time has seconds.
 */
export function showTime(iso: string, isExact = false): string {
  const moment = new Date(iso)
  const time = moment.toLocaleTimeString([], {
    ...{ hour: '2-digit', minute: '2-digit' },
    ...(isExact ? { second: '2-digit' } : {}),
  })
  if (moment.toDateString() === new Date().toDateString()) return time
  return `${moment.toLocaleDateString([], { dateStyle: 'medium' })}, ${time}`
}

/** A day and time in this browser's time zone. */
export function showDay(iso: string): string {
  return new Date(iso).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })
}

const DAY = 86_400n

/** The time that is left until a moment, in words: in whole days, or in hours if it is less than two days. */
export function showLeft(seconds: bigint): string {
  if (seconds >= 2n * DAY) return `${seconds / DAY} days`
  const hours = seconds / 3_600n
  return hours >= 2n ? `${hours} hours` : 'less than two hours'
}

/** The time until a moment that is this many seconds in the future, in words. */
export const showAhead = (seconds: bigint): string =>
  seconds < 60n ? 'in less than a minute' : `in about ${showSeconds(Number(seconds))}`

/** The time of this browser's clock, in seconds since 1970. */
export const nowSeconds = (): UnixSeconds => unixSeconds(BigInt(Math.floor(Date.now() / 1_000)))

/** Converts seconds of the chain's clock to an ISO timestamp. */
export const isoOfSeconds = (seconds: UnixSeconds): string =>
  new Date(Number(seconds) * 1_000).toISOString()

/** Converts seconds of the chain's clock to milliseconds, to compare them with this browser's clock. */
export const msOfSeconds = (seconds: UnixSeconds): number => Number(seconds) * 1_000
