import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPythPrices } from '../../src/adapters/prices/pyth-prices.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'

const NOW_S = 1_795_000_000
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const SOL_FEED = 'ef'.repeat(32)
const USDC_FEED = 'ea'.repeat(32)
const FEEDS = new Map([
  [NATIVE_MINT, SOL_FEED],
  [USDC, USDC_FEED],
])

interface Feed {
  id: string
  price: { price: string; conf: string; expo: number; publish_time: number }
}

let hermes: RemoteServer
let feeds: Feed[]
beforeEach(async () => {
  const feed = (id: string, price: string, conf: string): Feed => ({
    id,
    price: { price, conf, expo: -8, publish_time: NOW_S - 1 },
  })
  feeds = [feed(SOL_FEED, '15012345678', '5000000'), feed(USDC_FEED, '99990000', '20000')]
  hermes = await startRemote(({ headers, url }) => {
    if (headers['authorization'] !== 'Bearer key') return { status: 401 }
    if (url.pathname !== '/v2/updates/price/latest') return { status: 404 }
    const ids = url.searchParams.getAll('ids[]')
    const parsed = feeds
      .filter(({ id }) => ids.includes(id))
      .map((one) => ({ ...one, ema_price: one.price, metadata: { slot: 1 } }))
    if (ids.some((id) => ![SOL_FEED, USDC_FEED].includes(id))) return { status: 404 }
    return { status: 200, json: { binary: { encoding: 'hex', data: ['00'] }, parsed } }
  })
})
afterEach(() => hermes.close())

const prices = (key = 'key') =>
  openPythPrices({
    ...{ url: hermes.url, apiKey: async () => key, feeds: FEEDS },
    decimalsOf: async (mint) => (mint === USDC ? 6 : 9),
    confidenceBps: 10,
  })
const rate = (key?: string) => prices(key).readRate(NATIVE_MINT, USDC)

it('gives the rate between the base units of two assets, without floats', async () => {
  const found = (await rate())!
  // 10^9 lamports are worth (150.12345678 - 0.05) / (0.9999 + 0.0002) coins of the destination, which has six decimals.
  expect((10n ** 9n * found.numerator) / found.denominator).toBe(150_058_450n)
  expect(found.asOfMs).toBe((NOW_S - 1) * 1_000)
  expect(hermes.asked[0]!.url.searchParams.getAll('ids[]')).toEqual([SOL_FEED, USDC_FEED])
})

it('uses the end of each price’s uncertainty interval that pays out less', async () => {
  const there = (await rate())!
  const back = (await prices().readRate(USDC, NATIVE_MINT))!
  // One coin is worth (0.9999 - 0.0002) / (150.12345678 + 0.05) SOL.
  expect((10n ** 15n * back.numerator) / back.denominator).toBe(6_656_968_690_975_350n)
  // Converting to the other asset and back loses the whole width of both intervals.
  expect(there.numerator * back.numerator).toBeLessThan(there.denominator * back.denominator)
  for (const { price } of feeds) price.conf = '0'
  const exact = (await rate())!
  const opposite = (await prices().readRate(USDC, NATIVE_MINT))!
  expect(exact.numerator * opposite.numerator).toBe(exact.denominator * opposite.denominator)
})

describe('gives no rate', () => {
  it.each([
    ['for a price that is too uncertain', { conf: '15012346' }],
    ['for a price of zero', { price: '0' }],
    ['for a price below zero', { price: '-1' }],
  ])('%s', async (_, change) => {
    Object.assign(feeds[0]!.price, change)
    expect(await rate()).toBeUndefined()
  })

  it('for an asset without a feed', async () => {
    const other = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address
    expect(await prices().readRate(NATIVE_MINT, other)).toBeUndefined()
    expect(hermes.asked).toEqual([])
  })
})

it('accepts a price with the greatest allowed uncertainty', async () => {
  feeds[0]!.price.conf = '15012345'
  expect(await rate()).toBeDefined()
})

describe('fails', () => {
  it.each(['refuse', 'cut', 'garbage', 429, 500] as const)('on %s', async (fault) => {
    hermes.faults.push(fault)
    await expect(rate()).rejects.toMatchObject({ name: 'RemoteError' })
  })

  it('on a key that is refused', async () => {
    await expect(rate('hunter2')).rejects.toMatchObject({ code: 'pyth_401' })
    await expect(rate('hunter2')).rejects.not.toThrow('hunter2')
  })

  it('on an answer without a feed or with a price that is not an integer', async () => {
    const [sol, usdc] = feeds
    feeds = [usdc!]
    await expect(rate()).rejects.toMatchObject({ code: 'pyth_missing_feed' })
    feeds = [{ ...sol!, price: { ...sol!.price, price: '150.1' } }, usdc!]
    await expect(rate()).rejects.toMatchObject({ code: 'pyth_wrong_form' })
  })
})
