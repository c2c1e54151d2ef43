import type { UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../domain/whole-number.ts'

/** Formats milliseconds since 1970 as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function isoOfMs(ms: number): string {
  const second = Math.floor(ms / 1_000)
  let start = STARTS.get(second)
  if (start === undefined) {
    if (STARTS.size >= STARTS_MAX) STARTS.clear()
    start = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length)
    STARTS.set(second, start)
  }
  const millis = `${ms - second * 1_000}`
  return `${start}${'000'.slice(millis.length)}${millis}Z`
}

// A cache of formatted seconds. Every quote has two timestamps, and formatting a date takes longer than reading this
// map.
const STARTS = new Map<number, string>()
const STARTS_MAX = 1_000

const MS_PER_SECOND = 1_000n

/** Formats seconds of the chain's clock as `YYYY-MM-DDTHH:mm:ss.sssZ`. The time must be below 2^53 milliseconds. */
export const isoOfSeconds = (seconds: UnixSeconds): string =>
  isoOfMs(wholeNumber(seconds * MS_PER_SECOND))
