import {
  expectBalances,
  openingBalances,
  type Ended,
  type Expected,
} from '../soak/check-balances.ts'
import { checkPool, openingBooks } from '../soak/check-pool.ts'
import type { Ground } from '../stage/open-ground.ts'
import type { Cluster } from './open-cluster.ts'
import type { Report } from './report.ts'

/** The balances of the wallets and the pool before the first order. */
export interface Opening {
  readonly balances: Expected
  readonly books: Awaited<ReturnType<typeof openingBooks>>
}

export const openAccounts = async (ground: Ground): Promise<Opening> => ({
  balances: await openingBalances(ground),
  books: await openingBooks(ground),
})

const countBy = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/**
 * Checks that the balances of wallets and vaults, and the sums in the pool's Asset accounts, are exact to the base
 * unit. Also checks that each note was settled exactly once, and that no process crashed.
 */
export async function countUp(
  { ground, balancer, apis, workers }: Cluster,
  opening: Opening,
  ended: readonly Ended[],
  orders: number,
): Promise<Omit<Report, 'orders' | 'seed' | 'seconds' | 'steps'>> {
  const violations: string[] = []
  for (const { name, accidents } of [...apis, ...workers]) {
    if (accidents > 0) violations.push(`${name} exited unexpectedly ${accidents} times`)
  }
  violations.push(...(await checkPool(ground, opening.books, ended, [])))
  const expected = await expectBalances(ground, opening.balances, ended, [])
  violations.push(...(await expected.differences(ground.chain)))
  if (ended.length !== orders) violations.push(`${ended.length} of ${orders} orders ended`)
  const { statuses, replicas, latency } = balancer.tally
  return {
    ...{ replicas, latency, violations },
    answers: statuses,
    ends: countBy(ended.map(({ status }) => status.status)),
    kinds: countBy(ended.map(({ drawn }) => drawn.kind)),
    balances: expected.size,
  }
}
