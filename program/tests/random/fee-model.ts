/** Fees with the day on which each was earned; the program's three buckets follow from these. */
export interface FeeModel {
  /** The last day on which fees were booked, given back or collected. */
  day: bigint
  /** By day, oldest first. */
  entries: { readonly day: bigint; left: bigint }[]
}

const DAY = 86_400n

export const emptyFees = (): FeeModel => ({ day: 0n, entries: [] })

const sumOf = (fees: FeeModel, isOf: (day: bigint) => boolean): bigint =>
  fees.entries.reduce((sum, { day, left }) => (isOf(day) ? sum + left : sum), 0n)

export const totalOf = (fees: FeeModel): bigint => sumOf(fees, () => true)

/** What the Asset's fields must say. */
export function bucketsOf(fees: FeeModel) {
  const { day } = fees
  return {
    feesDay: day,
    feesToday: sumOf(fees, (of) => of === day),
    feesYesterday: sumOf(fees, (of) => of === day - 1n),
    feesCollectable: sumOf(fees, (of) => of < day - 1n),
  }
}

/** What may be collected at `clock`: fees of the day before yesterday and older. */
export const collectableAt = (fees: FeeModel, clock: bigint): bigint =>
  sumOf(fees, (day) => day + 2n <= clock / DAY)

export function bookFee(fees: FeeModel, clock: bigint, fee: bigint): void {
  fees.day = clock / DAY
  fees.entries.push({ day: fees.day, left: fee })
}

/** Takes at most `quantity`, the oldest first, and returns what was taken. */
export function takeFees(fees: FeeModel, clock: bigint, quantity: bigint): bigint {
  fees.day = clock / DAY
  let rest = quantity
  for (const entry of fees.entries) {
    const taken = rest < entry.left ? rest : entry.left
    entry.left -= taken
    rest -= taken
  }
  return quantity - rest
}
