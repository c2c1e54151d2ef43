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

/** A point in time in this browser's time zone. */
export function showTime(iso: string): string {
  return new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
}

/** Seconds of the chain's clock as a timestamp. */
export const isoOfSeconds = (seconds: bigint): string =>
  new Date(Number(seconds) * 1_000).toISOString()
