import { expect, it } from 'vitest'
import type { MarketRecord } from '../ports/market-store.ts'
import { assertOpen, MarketView, type MarketDependencies } from './market.ts'

const NOW_MS = 1_000_000_000

/** The market as the API sees it, over a database in which workers left this. */
async function lookedAt(record: Partial<MarketRecord>) {
  const empty = {
    assets: [],
    crowds: [],
    reservations: [],
    halted: undefined,
    liquidity: undefined,
  }
  const d = {
    chain: {
      readPool: async () => ({ depositsPaused: false }),
      readClock: async () => 1n,
      readAssets: async () => [],
    },
    store: { readMarket: async () => ({ ...empty, ...record }) },
    clock: { nowMs: () => NOW_MS },
    crowdSeconds: 60,
  } as unknown as MarketDependencies
  return new MarketView(d).refresh()
}

it('new orders stop while relayers run low, and go on by themselves after a top-up', async () => {
  const low = await lookedAt({ liquidity: { isLiquid: false, atMs: NOW_MS } })
  expect(() => assertOpen(low)).toThrow(expect.objectContaining({ code: 'LIQUIDITY_UNAVAILABLE' }))
  const toppedUp = await lookedAt({ liquidity: { isLiquid: true, atMs: NOW_MS } })
  expect(() => assertOpen(toppedUp)).not.toThrow()
})

it('relayers that no worker has looked after for long count as low', async () => {
  const stale = await lookedAt({ liquidity: { isLiquid: true, atMs: NOW_MS - 600_000 } })
  expect(() => assertOpen(stale)).toThrow(
    expect.objectContaining({ code: 'LIQUIDITY_UNAVAILABLE' }),
  )
})

it('a database that no worker has seen yet takes orders, and a halted one none', async () => {
  expect(assertOpen(await lookedAt({}))).toBeUndefined()
  const halted = await lookedAt({ halted: 'books_differ' })
  expect(() => assertOpen(halted)).toThrow(expect.objectContaining({ code: 'SERVICE_PAUSED' }))
})
