import { wasmPoseidon } from '@sotto/poseidon'
import { assetHashOf, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { MarketRecord } from '../../ports/market-store.ts'
import { assertOpen, MarketView, type MarketDependencies } from './market.ts'

const NOW_MS = 1_000_000_000

const DOMAIN = new Uint8Array(32).fill(7, 1)
const KEY = NATIVE_MINT

/** The API's market when the database contains this record, which the workers wrote. */
async function lookedAt(record: Partial<MarketRecord>, upForMs = 0) {
  return marketOf(record, upForMs).view.refresh()
}

/** The API's market, whose clock the test sets. */
function marketOf(record: Partial<MarketRecord>, upForMs = 0) {
  let nowMs = NOW_MS - upForMs
  const empty = {
    assets: [],
    shown: [],
    reservations: [],
    unpaid: [],
    halted: undefined,
    liquidity: undefined,
    followedAtMs: upForMs === 0 ? NOW_MS : undefined,
    followedSeconds: undefined,
  }
  const d = {
    chain: {
      readPool: async () => ({
        ...{ depositsPaused: false, domain: DOMAIN, authorisers: [KEY] },
        maxDepositSeconds: 2_400,
      }),
      readClock: async () => 1n,
      readAssets: async (mints: readonly string[]) => mints.map((mint) => ({ mint })),
    },
    store: { readMarket: async () => ({ ...empty, ...record }) },
    clock: { nowMs: () => nowMs },
    shownSeconds: 60,
    poseidon: wasmPoseidon,
    usualDelay: { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 60 },
    authoriser: KEY,
    orderSeconds: 1_800,
    prices: { floor: 0, ceiling: 0 },
    followLimits: { unfollowedMs: 120_000, chainAgeMaxMs: 240_000 },
  } as unknown as MarketDependencies
  const view = new MarketView(d)
  nowMs = NOW_MS
  return { view, setNow: (ms: number) => (nowMs = ms) }
}

it('new orders are refused while the relayers’ balances are low', async () => {
  const low = await lookedAt({
    liquidity: { isLiquid: false, freeOrders: undefined, atMs: NOW_MS },
  })
  expect(() => assertOpen(low)).toThrow(expect.objectContaining({ code: 'LIQUIDITY_UNAVAILABLE' }))
  const toppedUp = await lookedAt({
    liquidity: { isLiquid: true, freeOrders: undefined, atMs: NOW_MS },
  })
  expect(() => assertOpen(toppedUp)).not.toThrow()
})

it('the relayers’ balances count as low if no worker has checked them for a long time', async () => {
  const stale = await lookedAt({
    liquidity: { isLiquid: true, freeOrders: undefined, atMs: NOW_MS - 600_000 },
  })
  expect(() => assertOpen(stale)).toThrow(
    expect.objectContaining({ code: 'LIQUIDITY_UNAVAILABLE' }),
  )
})

it('a report does not count if a wrong clock dated it in the future', async () => {
  const ahead = await lookedAt({
    liquidity: { isLiquid: true, freeOrders: undefined, atMs: NOW_MS + 600_000 },
  })
  expect(() => assertOpen(ahead)).toThrow(
    expect.objectContaining({ code: 'LIQUIDITY_UNAVAILABLE' }),
  )
  // The clocks of two hosts always differ slightly.
  const skewed = await lookedAt({
    liquidity: { isLiquid: true, freeOrders: undefined, atMs: NOW_MS + 30_000 },
  })
  expect(() => assertOpen(skewed)).not.toThrow()
})

it('without a report of a worker, orders are accepted only in the first ten minutes', async () => {
  const starting = await lookedAt({}, 599_999)
  expect(() => assertOpen(starting)).not.toThrow()
  const alone = await lookedAt({}, 600_000)
  expect(() => assertOpen(alone)).toThrow(expect.objectContaining({ code: 'UPSTREAM_UNAVAILABLE' }))
})

it('orders are refused if the chain was not followed for two minutes', async () => {
  const liquidity = { isLiquid: true, freeOrders: undefined, atMs: NOW_MS }
  const followed = (followedAtMs: number, upForMs = 0) =>
    lookedAt({ liquidity, followedAtMs }, upForMs)
  const hiccup = await followed(NOW_MS - 119_999)
  expect(() => assertOpen(hiccup)).not.toThrow()
  const refusal = {
    code: 'UPSTREAM_UNAVAILABLE',
    context: expect.objectContaining({ retryAfterSeconds: 30 }) as unknown,
  }
  // The second report comes from a clock that ran ahead. Without a limit, it would count as recent until the API's
  // clock reaches the report's time.
  for (const atMs of [NOW_MS - 120_000, NOW_MS + 60_000]) {
    const stale = await followed(atMs)
    expect(() => assertOpen(stale)).toThrow(expect.objectContaining(refusal))
  }
  // The workers have been failing for two minutes, so the new process doesn't wait ten more minutes for them.
  const started = await followed(NOW_MS - 120_000, 1_000)
  expect(() => assertOpen(started)).toThrow(expect.objectContaining(refusal))
})

it('orders are refused if the workers follow a chain that is minutes old', async () => {
  const liquidity = { isLiquid: true, freeOrders: undefined, atMs: NOW_MS }
  const aged = (ageMs: number) =>
    lookedAt({ liquidity, followedSeconds: unixSeconds(BigInt(NOW_MS - ageMs) / 1_000n) })
  // A cluster's clock may differ from the wall clock by tens of seconds, and finality takes a quarter of a minute.
  for (const ageMs of [-60_000, 13_000, 90_000, 239_000]) {
    const market = await aged(ageMs)
    expect(() => assertOpen(market)).not.toThrow()
  }
  const old = await aged(600_000)
  expect(old.followFault).toBe('chain_old')
  expect(() => assertOpen(old)).toThrow(
    expect.objectContaining({
      code: 'UPSTREAM_UNAVAILABLE',
      cause: expect.objectContaining({ code: 'chain_old' }) as unknown,
    }),
  )
  expect((await aged(240_000)).followFault).toBe('chain_old')
})

it('a halted service accepts no orders', async () => {
  const halted = await lookedAt({ halted: 'books_differ' })
  expect(() => assertOpen(halted)).toThrow(expect.objectContaining({ code: 'SERVICE_PAUSED' }))
})

it("an asset's hash is computed from its mint and the pool's domain", async () => {
  const mints = [NATIVE_MINT, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v']
  const listings = mints.map((mint) => ({ mint })) as unknown as MarketRecord['assets']
  const { assets } = await lookedAt({ assets: listings })
  const hashes = listings.map(({ mint }) => assetHashOf(wasmPoseidon, DOMAIN, mint))
  expect([...assets.values()].map(({ hash }) => hash)).toEqual(hashes)
  expect(new Set(hashes).size).toBe(2)
})

it('a snapshot is taken again if the clock was set back', async () => {
  const { view, setNow } = marketOf({})
  await view.refresh()
  expect((await view.fresh()).takenAtMs).toBe(NOW_MS)
  setNow(NOW_MS - 3_600_000)
  expect((await view.fresh()).takenAtMs).toBe(NOW_MS - 3_600_000)
})
