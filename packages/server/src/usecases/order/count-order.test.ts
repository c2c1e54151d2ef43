import { amount, NATIVE_MINT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { CreateOutcome } from '../../ports/order-store.ts'
import { RateLimit } from '../../running/rate-limit.ts'
import type { MarketAsset } from '../market/market.ts'
import { createCounted, type CountDependencies } from './count-order.ts'

const destination = {
  listing: { mint: NATIVE_MINT },
  facts: { swapAvailable: amount(2_000_000n) },
} as MarketAsset
const crowd = { min: 2, missed: 'refund' } as const

/** Limits of one spread for swaps, one order for an account, and two orders for a network. */
function counter() {
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const of = (burst: number) => new RateLimit('a', clock, { perSecond: 1, burst })
  const d: CountDependencies = {
    ...{ betterOrders: of(1_000), spreadBps: 30, accountSharePercent: 50 },
    crowdOrders: { ofAccounts: of(1), ofNetworks: of(2) },
  }
  return (
    outcome: CreateOutcome | Error,
    { id = 'one', visitor = 'net', betterBy = 0n, isCrowd = true } = {},
  ) =>
    createCounted(
      d,
      { account: { id, visitor }, quoteId: { crowd: isCrowd ? crowd : undefined }, destination, betterBy },
      async () => {
        if (outcome instanceof Error) throw outcome
        return outcome
      },
    ).catch((error: { code?: string }) => error.code ?? error)
} // oxfmt-ignore

it.each(['taken', 'no_inventory', 'too_many_swaps', 'too_many_unpaid'] as const)(
  'gives everything back if the outcome is %s',
  async (outcome) => {
    const create = counter()
    for (let count = 0; count < 3; count += 1) {
      expect(await create(outcome, { betterBy: 3_000n })).toBe(outcome)
    }
    expect(await create('created', { betterBy: 3_000n })).toBe('created')
    expect(await create('created')).toBe('RATE_LIMITED')
    expect(await create('created', { betterBy: 1n, isCrowd: false })).toBe('PRICE_MOVED')
  },
)

it('keeps counting an order that may have been created', async () => {
  const create = counter()
  const lost = new Error('the connection was lost')
  expect(await create(lost)).toBe(lost)
  expect(await create('created')).toBe('RATE_LIMITED')
})

it('counts the IPv6 networks of one site as one network', async () => {
  const create = counter()
  for (const [visitor, id, outcome] of [
    ['2001:db8:1:1', 'one', 'created'],
    ['2001:db8:1:2', 'two', 'created'],
    ['2001:db8:1:3', 'three', 'RATE_LIMITED'],
    ['2001:db8:2:1', 'three', 'created'],
  ] as const) {
    expect(await create('created', { visitor, id })).toBe(outcome)
  }
})

it('takes nothing from the other allowances if one of them is used up', async () => {
  const create = counter()
  expect(await create('created')).toBe('created')
  for (let count = 0; count < 3; count += 1) {
    expect(await create('created', { betterBy: 3_000n })).toBe('RATE_LIMITED')
  }
  // The network has one order left, and the spread is unused.
  expect(await create('created', { id: 'two' })).toBe('created')
  expect(await create('created', { betterBy: 3_000n, isCrowd: false })).toBe('created')
})
