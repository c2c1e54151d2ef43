import type { Address } from '@sotto/protocol'
import { expect, test } from 'vitest'
import type { Closable } from '../../ports/settlement-chain.ts'
import { reclaimRent } from './reclaim-rent.ts'

type Dependencies = Parameters<typeof reclaimRent>[0]

/**
 * A chain with accounts to close. The accounts in `stuck` can't be closed. `balances` has the lamports of each relayer;
 * the first relayer that may pay is always drawn.
 */
function chainOf(
  stuck: readonly string[],
  accounts: readonly (readonly [Closable['kind'], string])[],
  balances: readonly bigint[] = [10n ** 9n],
) {
  const closed: string[] = []
  const closable = accounts.map(([kind, name]) => ({
    kind,
    account: name as Address,
    rentPayer: name as Address,
  }))
  const offered = new Set<bigint>()
  const paidBy: unknown[] = []
  const relayers = balances.map((_, place) => ({ address: `relayer ${place}` }))
  const close = (relayer: unknown, some: readonly Closable[], unitPrice: bigint) => {
    offered.add(unitPrice)
    if (some.some(({ account }) => stuck.includes(account))) {
      return Promise.reject(new Error('the accounts cannot be closed now'))
    }
    closed.push(...some.map(({ account }) => account))
    paidBy.push(relayer)
    return Promise.resolve()
  }
  const readBalances = async () => ({ balances, lamportsPerByte: 6_960n })
  const d = {
    chain: { listClosable: () => Promise.resolve(closable), close, readBalances },
    store: { readPrice: async () => ({ hour: 1, step: 6 }) },
    prices: { floor: 1, ceiling: 6, percentile: 75 },
    relayers,
    random: { below: () => 0 },
  } as unknown as Dependencies
  return { d, closed, offered, paidBy, relayers }
}

const ordersOf = (count: number) =>
  Array.from({ length: count }, (_, place) => ['order', `order ${place}`] as const)

test('closes the other accounts if one account cannot be closed', async () => {
  const { d, closed, offered, paidBy } = chainOf(['order 3'], [...ordersOf(12), ['nullifier', 'n']])
  expect(await reclaimRent(d)).toBe(12)
  expect(closed).toHaveLength(12)
  expect(closed).toContain('n')
  // The first ten orders take three transactions, instead of one for each of the nine that can be closed.
  expect(paidBy).toHaveLength(5)
  // Closings offer the lowest price, although all other transactions offer the highest price.
  expect([...offered]).toEqual([1_024n])
})

test('lets only a relayer close accounts that has lamports for the fee', async () => {
  // The minimum of a wallet without data, and the fee at the lowest price.
  const least = 890_880n + 5_000n
  const scene = chainOf([], ordersOf(12), [0n, least, 10n ** 9n])
  expect(await reclaimRent(scene.d)).toBe(12)
  expect(scene.paidBy).toEqual(Array(2).fill(scene.relayers[2]))
})

test('fails without a transaction if no relayer has lamports for the fee', async () => {
  const { d, paidBy } = chainOf([], ordersOf(1), [0n, 890_880n])
  await expect(reclaimRent(d)).rejects.toThrow('no relayer can pay')
  expect(paidBy).toEqual([])
})

test('fails if no account can be closed', async () => {
  const { d } = chainOf(['order'], [['order', 'order']])
  await expect(reclaimRent(d)).rejects.toThrow(/cannot be closed/)
})
