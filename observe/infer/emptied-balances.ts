import { grossOf, type SeenSettlement, type Sightings } from '../chain/sightings.ts'
import { isRound } from './amounts.ts'
import type { Bundle } from './bundle.ts'
import { emptiedByLists } from './emptied-lists.ts'
import { isTransfer } from './is-transfer.ts'
import { ratio } from './subset-sums.ts'

/** The indexes of the deposits and settlements that are already explained by returned rests. */
interface Explained {
  readonly unspent: ReadonlySet<number>
  readonly returned: ReadonlyMap<number, SeenSettlement>
  readonly explained: ReadonlySet<number>
}

/**
 * If more payments than this are later than a deposit, their pairs and triples aren't searched, because too many of
 * them would fit by chance.
 */
const PAYMENTS_MAX = 400
/** A sum counts as evidence only if, over all deposits, at most this number of sums is expected to fit by chance. */
const CHANCE_MAX = 0.01

/**
 * Finds balances that were emptied by two or three payments, or by a list of payments that follow each other within
 * seconds. No rest returns from these balances, but their payments add up to the deposit's value. If there are only two
 * or three payments, at least one must have an odd amount, because round amounts also fit by chance.
 */
export function emptiedBalances(
  sightings: Sightings,
  { unspent, returned, explained }: Explained,
): Bundle[] {
  const { deposits, settlements } = sightings
  const payments = settlements.filter(
    (one) => !one.isRefund && !explained.has(one.index) && !isTransfer(sightings, one),
  )
  const open = deposits.filter(({ index }) => !unspent.has(index) && !returned.has(index))
  const lists = emptiedByLists(open, payments, CHANCE_MAX)
  const claimed = new Map<number, number>()
  const bundles: Bundle[] = []
  for (const deposit of open) {
    const later = payments.filter(
      (one) =>
        one.asset === deposit.asset &&
        one.leafIndex > deposit.leafIndex &&
        grossOf(one) < deposit.value,
    )
    const isClear = chanceOf(later.length, deposit.value) * deposits.length <= CHANCE_MAX
    const found = lists.filter((list) => list.deposit === deposit.index)
    const [only, ...others] = different([
      ...found.map(({ settlements: list }) => list),
      ...(isClear ? sumsOf(later, deposit.value) : []),
    ])
    if (only === undefined || others.length > 0) continue
    bundles.push({ deposit: deposit.index, settlements: only })
    for (const index of only) claimed.set(index, (claimed.get(index) ?? 0) + 1)
  }
  return bundles.filter((one) => one.settlements.every((index) => claimed.get(index) === 1))
}

/** Leaves out repeated sets. */
const different = (sets: readonly (readonly number[])[]): (readonly number[])[] => [
  ...new Map(sets.map((set) => [set.join(), set])).values(),
]

/** The expected number of pairs and triples of random payments with this sum. */
function chanceOf(count: number, sum: bigint): number {
  if (count > PAYMENTS_MAX) return Infinity
  const pairs = (count * (count - 1)) / 2
  return (pairs + (pairs * (count - 2)) / 3) / ratio(sum, 1n)
}

/** The pairs and triples of payments with this sum and with at least one odd amount. */
function sumsOf(payments: readonly SeenSettlement[], sum: bigint): number[][] {
  const byGross = new Map<bigint, SeenSettlement[]>()
  for (const one of payments) byGross.set(grossOf(one), [...(byGross.get(grossOf(one)) ?? []), one])
  const found: number[][] = []
  const complete = (chosen: readonly SeenSettlement[]) => {
    const rest = chosen.reduce((left, one) => left - grossOf(one), sum)
    const last = chosen.at(-1)?.index ?? -1
    for (const one of byGross.get(rest) ?? []) {
      const all = [...chosen, one]
      if (one.index > last && all.some(isOdd)) found.push(all.map(({ index }) => index))
    }
  }
  for (const [place, first] of payments.entries()) {
    complete([first])
    for (const second of payments.slice(place + 1)) complete([first, second])
  }
  return found
}

const isOdd = (one: SeenSettlement): boolean => !isRound(one.payout) && !isRound(grossOf(one))
