import { grossOf, type SeenDeposit, type SeenSettlement } from '../chain/sightings.ts'
import type { Bundle } from './bundle.ts'
import { GAP_SECONDS, LENGTH_MAX } from './list-limits.ts'
import { greatestDivisor, ratio } from './subset-sums.ts'

/** Payments that follow each other, and the deposit that they may have emptied. */
interface Fit extends Bundle {
  /** The expected number of such fits between one random deposit and one random list. */
  readonly byChance: number
}

interface Search {
  /** The deposits of the asset, by value. */
  readonly deposits: ReadonlyMap<bigint, readonly SeenDeposit[]>
  readonly found: Fit[]
  /** The number of sums that were compared with the deposits. */
  compared: number
}

/**
 * Finds deposits that a list of payments has emptied, because the owner topped up exactly the sum of the list. Compares
 * the deposits' values with the sum of every sequence of payments that follow each other within seconds. For each
 * sequence, also compares the sums without one of the inner payments, because someone else may have made that payment.
 *
 * @param chanceMax a sum is left out if, over all deposits, more sums than this are expected to fit by chance.
 */
export function emptiedByLists(
  deposits: readonly SeenDeposit[],
  payments: readonly SeenSettlement[],
  chanceMax: number,
): Bundle[] {
  return [...new Set(payments.map(({ asset }) => asset))].flatMap((asset) => {
    const ofAsset = deposits.filter((deposit) => deposit.asset === asset)
    const search: Search = { deposits: byValue(ofAsset), found: [], compared: 0 }
    for (const run of runsOf(payments.filter((one) => one.asset === asset))) compareRun(search, run)
    const tries = search.compared * ofAsset.length
    return search.found.filter(({ byChance }) => byChance * tries <= chanceMax)
  })
}

function byValue(deposits: readonly SeenDeposit[]): ReadonlyMap<bigint, readonly SeenDeposit[]> {
  const grouped = new Map<bigint, SeenDeposit[]>()
  for (const one of deposits) {
    const known = grouped.get(one.value)
    if (known === undefined) grouped.set(one.value, [one])
    else known.push(one)
  }
  return grouped
}

/** The longest sequences of payments that follow each other within seconds. */
function runsOf(payments: readonly SeenSettlement[]): SeenSettlement[][] {
  const runs: SeenSettlement[][] = []
  for (const one of payments) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (last !== undefined && one.seconds - last.seconds <= GAP_SECONDS) run?.push(one)
    else runs.push([one])
  }
  return runs
}

function compareRun(search: Search, run: readonly SeenSettlement[]): void {
  for (const from of run.keys()) {
    let sum = grossOf(run[from] ?? NOTHING)
    for (let to = from + 1; to < Math.min(run.length, from + LENGTH_MAX); to += 1) {
      sum += grossOf(run[to] ?? NOTHING)
      compare(search, sum, () => run.slice(from, to + 1))
      for (let skipped = from + 1; skipped < to; skipped += 1) {
        compare(search, sum - grossOf(run[skipped] ?? NOTHING), () => [
          ...run.slice(from, skipped),
          ...run.slice(skipped + 1, to + 1),
        ])
      }
    }
  }
}

function compare(search: Search, sum: bigint, listOf: () => readonly SeenSettlement[]): void {
  search.compared += 1
  for (const deposit of search.deposits.get(sum) ?? []) {
    const list = listOf()
    if (!isPossible(deposit, list)) continue
    // The digits of a payment's gross amount follow from the amount that the payee gets. So the sum is only as random
    // as the amounts that the payees get.
    const step = list.map(({ payout }): bigint => payout).reduce(greatestDivisor)
    const settlements = list.map(({ index }) => index)
    search.found.push({ deposit: deposit.index, settlements, byChance: 1 / ratio(sum, step) })
  }
}

/** True if each payment's root covers the leaf that the payment spends: the deposit, or the change before it. */
function isPossible(deposit: SeenDeposit, list: readonly SeenSettlement[]): boolean {
  return list.every((one, place) => {
    const spent = list[place - 1]?.leafIndex ?? deposit.leafIndex
    return spent < one.leafIndex && spent <= (one.rootLeaf ?? Infinity)
  })
}

const NOTHING = { payout: 0n, fee: 0n } as SeenSettlement
