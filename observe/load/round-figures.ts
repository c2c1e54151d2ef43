/** The round figures that quotes suggest (decision 62), in tenths of a power of ten, and the next power of ten. */
const SERIES = [10n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 75n, 100n]
const TENTHS = 10n

/** The smallest amount of the series that is at least `needed`. */
export function seriesAtLeast(needed: bigint): bigint {
  const unit = 10n ** BigInt(`${needed}`.length - 1)
  const figure = SERIES.find((tenths) => tenths * unit >= needed * TENTHS) ?? SERIES.at(-1) ?? 0n
  return (figure * unit) / TENTHS
}

/** The amount, rounded up to one significant digit of whole coins, as a person would type it for a top-up. */
export function coinsAtLeast(needed: bigint, unit: bigint): bigint {
  const coins = (needed + unit - 1n) / unit
  const step = 10n ** BigInt(`${coins}`.length - 1)
  return ((coins + step - 1n) / step) * step * unit
}
