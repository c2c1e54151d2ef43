import type { Address } from '@sotto/protocol'
import { expect, test } from 'vitest'
import type { Closable } from '../../ports/settlement-chain.ts'
import { reclaimRent } from './reclaim-rent.ts'

type Dependencies = Parameters<typeof reclaimRent>[0]

/** A chain with accounts to close. The accounts in `stuck` can't be closed. */
function chainOf(stuck: readonly string[], accounts: readonly [Closable['kind'], string][]) {
  const closed: string[] = []
  const closable = accounts.map(([kind, name]) => ({
    kind,
    account: name as Address,
    rentPayer: name as Address,
  }))
  const offered = new Set<bigint>()
  const close = (_relayer: unknown, some: readonly Closable[], unitPrice: bigint) => {
    offered.add(unitPrice)
    if (some.some(({ account }) => stuck.includes(account))) {
      return Promise.reject(new Error('the accounts cannot be closed now'))
    }
    closed.push(...some.map(({ account }) => account))
    return Promise.resolve()
  }
  const d = {
    chain: { listClosable: () => Promise.resolve(closable), close },
    store: { readPrice: async () => ({ hour: 1, step: 6 }) },
    prices: { floor: 1, ceiling: 6, percentile: 75 },
    relayers: [{}],
    random: { below: () => 0 },
  } as unknown as Dependencies
  return { d, closed, offered }
}

test('closes the other accounts if one account cannot be closed', async () => {
  const orders = Array.from({ length: 12 }, (_, place) => ['order', `order ${place}`] as const)
  const { d, closed, offered } = chainOf(
    ['order 3'],
    [...orders.map(([kind, name]): [Closable['kind'], string] => [kind, name]), ['nullifier', 'n']],
  )
  expect(await reclaimRent(d)).toBe(12)
  expect(closed).toHaveLength(12)
  expect(closed).toContain('n')
  // Closings offer the lowest price, although all other transactions offer the highest price.
  expect([...offered]).toEqual([1_024n])
})

test('fails if no account can be closed', async () => {
  const { d } = chainOf(['order'], [['order', 'order']])
  await expect(reclaimRent(d)).rejects.toThrow(/cannot be closed/)
})
