/**
 * Length of an epoch in milliseconds: one hour. An epoch's key is destroyed some time after all orders of the epoch are
 * final.
 */
export const EPOCH_MS = 3_600_000

/**
 * The epoch of a wall-clock time: the number of whole hours since 1970. The epoch's key signs the quotes of this hour
 * and seals the hour's transfers and payments, but not the hour's top-ups.
 */
export const epochAt = (nowMs: number): number => Math.floor(nowMs / EPOCH_MS)

/**
 * The smallest number of an epoch of top-ups. The hours since 1970 stay far below this number, which fits into 4 bytes.
 */
const TOP_UPS_FROM = 2 ** 30

/**
 * The epoch of the top-ups of an hour. A balance is open for weeks, and its key must exist for as long. Therefore an
 * hour's top-ups have a key of their own. So the key of the hour's transfers can be destroyed about a day after the
 * last of these transfers is final.
 */
export const topUpEpochAt = (nowMs: number): number => topUpEpochOf(epochAt(nowMs))

/** The epoch of the top-ups of the given hour, which is a number of hours since 1970. */
export const topUpEpochOf = (hour: number): number => TOP_UPS_FROM + hour

/** True if the epoch's key seals only top-ups. */
export const isTopUpEpoch = (epoch: number): boolean => epoch >= TOP_UPS_FROM

/** The hour of an epoch, in whole hours since 1970. */
export const hourOfEpoch = (epoch: number): number =>
  isTopUpEpoch(epoch) ? epoch - TOP_UPS_FROM : epoch

/** The time at which an epoch's hour begins, in milliseconds since 1970. */
export const epochStartMs = (epoch: number): number => hourOfEpoch(epoch) * EPOCH_MS

/** The time between the end of the hour in which an epoch's last order became final, and the destruction of its key. */
export const RETENTION_MS = 86_400_000

/**
 * The time from which an epoch's key may be destroyed, in milliseconds since 1970. `end` is the latest hour in which an
 * order of the epoch became final. The time within that hour isn't stored, so the retention time begins at the end of
 * the hour. An epoch without orders ends with its own hour.
 */
export const destroyableFromMs = (
  epoch: number,
  end: number | 'empty',
  retentionMs: number,
): number => (end === 'empty' ? epochStartMs(epoch) : end) + EPOCH_MS + retentionMs

/**
 * The earliest time at which the key of an order may be destroyed, in milliseconds since 1970. An order becomes final
 * after its deposit, so the retention time can't begin before the end of the deposit's hour.
 */
export const keyKeptUntilMs = (depositedMs: number): number => {
  const hour = epochAt(depositedMs)
  return destroyableFromMs(hour, epochStartMs(hour), RETENTION_MS)
}

/**
 * The first hour of 2026. No quote of the current format was signed before that hour. A destroyed key leaves no trace.
 * So if a quote names a missing key, the key was destroyed or never existed. If the key's epoch is before this constant
 * or in the future, the key never existed.
 */
export const FIRST_EPOCH = 490_896
