import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** Converts seconds of the chain's clock to an ISO timestamp. */
export const isoOfSeconds = (seconds: UnixSeconds): string =>
  new Date(Number(seconds) * 1_000).toISOString()

/**
 * Reads a timestamp of the service, such as `2026-01-02T03:04:05.000Z`. Undefined for any other text, and for a time
 * that isn't a whole second. A text without a zone would mean another second after a change of the machine's time zone.
 * The SDK would then look for a saved order under another deadline.
 */
export function secondsOfIso(time: string): UnixSeconds | undefined {
  const ms = Date.parse(time)
  const isSecond = Number.isSafeInteger(ms) && ms >= 0 && ms % 1_000 === 0
  if (!isSecond || new Date(ms).toISOString() !== time) return undefined
  return unixSeconds(BigInt(ms) / 1_000n)
}
