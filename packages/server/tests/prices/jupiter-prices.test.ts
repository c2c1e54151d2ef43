import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAtMost } from '../../src/adapters/prices/decimal-text.ts'
import { freshPrices } from '../../src/adapters/prices/fresh-prices.ts'
import { openJupiterPrices } from '../../src/adapters/prices/jupiter-prices.ts'
import { movedClock } from '../remote/no-wait-clock.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' as Address
const NO_ROUTE = {
  status: 400,
  json: { error: 'Could not find any route', errorCode: 'COULD_NOT_FIND_ANY_ROUTE' },
}
/** Base units of the output for 10^9 base units of the input. */
const MARKET = new Map([
  [`${NATIVE_MINT} ${USDC}`, 150_000_000n],
  // One coin, which has five decimals, is worth 0.00002 dollars.
  [`${BONK} ${USDC}`, 200_000n],
])

let jupiter: RemoteServer
let change: object
/** The output for one whole SOL, if it isn't the market's. */
let oddOutput: string | undefined
beforeEach(async () => {
  change = {}
  oddOutput = undefined
  jupiter = await startRemote(({ headers, url }) => {
    if (headers['x-api-key'] !== 'key') return { status: 401 }
    if (url.pathname !== '/swap/v1/quote') return { status: 404 }
    const asked = Object.fromEntries(url.searchParams) as Record<string, string>
    const { inputMint = '', outputMint = '', amount = '', swapMode } = asked
    const rate = MARKET.get(`${inputMint} ${outputMint}`)
    if (rate === undefined || swapMode !== 'ExactIn') return NO_ROUTE
    const outAmount = (BigInt(amount) * rate) / 10n ** 9n
    if (outAmount === 0n) return NO_ROUTE
    const quote = {
      ...{ inputMint, inAmount: amount, outputMint, outAmount: `${outAmount}`, swapMode },
      ...{ otherAmountThreshold: `${outAmount}`, slippageBps: 50, platformFee: null },
      ...{ priceImpactPct: '0.0001', routePlan: [], contextSlot: 1_000, timeTaken: 0.01 },
    }
    const odd = amount === '1000000000' && oddOutput !== undefined ? { outAmount: oddOutput } : {}
    // The sale of more than 1,000 SOL moves the price.
    const moved = BigInt(amount) > 10n ** 12n ? { priceImpactPct: '0.5' } : {}
    return { status: 200, json: { ...quote, ...odd, ...moved, ...change } }
  })
})
afterEach(() => jupiter.close())

const open = (key = 'key') =>
  openJupiterPrices({
    ...{ url: `${jupiter.url}/`, apiKey: async () => key, clock: movedClock(1_000_000) },
    decimalsOf: async (mint) => (mint === BONK ? 5 : mint === USDC ? 6 : 9),
    readSlot: async () => 1_010n,
    impactBps: 100,
  })
const rate = (key?: string) => open(key).readRate(NATIVE_MINT, USDC)

it('gives the rate of a quote for one whole coin', async () => {
  expect(await rate()).toEqual({
    ...{ numerator: 150_000_000n, denominator: 10n ** 9n },
    asOfMs: 1_000_000 - 10 * 400,
  })
  expect(jupiter.asked[0]!.url.searchParams.get('amount')).toBe('1000000000')
})

it('requests a larger amount if a coin’s rate would be rounded', async () => {
  const prices = open()
  const found = (await prices.readRate(BONK, USDC))!
  expect(found.numerator * 10_000n).toBe(found.denominator * 2n)
  expect(found.numerator).toBeGreaterThanOrEqual(1_000_000n)
  const before = jupiter.asked.length
  await prices.readRate(BONK, USDC)
  expect(jupiter.asked.length).toBe(before + 1)
})

it.each(['1', '100000'])('recovers from one odd output of %s base units', async (odd) => {
  const prices = open()
  expect(await prices.readRate(NATIVE_MINT, USDC)).toBeDefined()
  oddOutput = odd
  await prices.readRate(NATIVE_MINT, USDC)
  oddOutput = undefined
  await prices.readRate(NATIVE_MINT, USDC)
  expect((await prices.readRate(NATIVE_MINT, USDC))!.denominator).toBe(10n ** 9n)
})

it('does not keep a probe that gives no rate', async () => {
  const prices = open()
  await prices.readRate(BONK, USDC)
  change = { priceImpactPct: '0.5' }
  expect(await prices.readRate(BONK, USDC)).toBeUndefined()
  change = {}
  const before = jupiter.asked.length
  expect(await prices.readRate(BONK, USDC)).toBeDefined()
  expect(jupiter.asked[before]!.url.searchParams.get('amount')).toBe('100000')
})

it('a quote is as old as its slot', async () => {
  change = { contextSlot: 1_010 - 26 }
  const clock = movedClock(1_000_000)
  const ask = (ageMaxMs: number) => freshPrices(open(), ageMaxMs, clock).readRate(NATIVE_MINT, USDC)
  expect((await rate())!.asOfMs).toBe(1_000_000 - 26 * 400)
  expect(await ask(10_000)).toBeUndefined()
  expect(await ask(10_400)).toBeDefined()
})

it('does not use a quote whose slot is more than ten seconds later than the node’s slot', async () => {
  const ask = () => freshPrices(open(), 10_000, movedClock(1_000_000)).readRate(NATIVE_MINT, USDC)
  change = { contextSlot: 1_010 + 25 }
  expect(await ask()).toBeDefined()
  for (const contextSlot of [1_010 + 26, Number.MAX_SAFE_INTEGER]) {
    change = { contextSlot }
    expect(await ask()).toBeUndefined()
  }
})

describe('gives no rate', () => {
  it('if there is no route', async () => {
    expect(await open().readRate(USDC, BONK)).toBeUndefined()
  })

  it.each([
    ['if the swap would move the price', { priceImpactPct: '0.0101' }],
    ['if the price impact is not given', { priceImpactPct: 'NaN' }],
  ])('%s', async (_, wrong) => {
    change = wrong
    expect(await rate()).toBeUndefined()
  })
})

describe('fails', () => {
  it.each(['refuse', 'cut', 'garbage', 429, 500] as const)('on %s', async (fault) => {
    jupiter.faults.push(fault)
    await expect(rate()).rejects.toMatchObject({ name: 'RemoteError' })
  })

  it.each([
    ['another amount', { inAmount: '1' }],
    ['another asset', { outputMint: BONK }],
    ['another side', { swapMode: 'ExactOut' }],
    ['an invalid amount', { outAmount: '1.5' }],
  ])('on a quote for %s', async (_, wrong) => {
    change = wrong
    await expect(rate()).rejects.toMatchObject({ name: 'RemoteError' })
  })

  it('on a key that is refused', async () => {
    await expect(rate('other')).rejects.toMatchObject({ code: 'jupiter_401' })
  })
})

it('compares decimals without rounding', () => {
  const isWithin = (text: string) => isAtMost(text, 100n, 4)
  for (const text of ['0', '0.01', '0.0100', '1e-2', '9.9E-3', '-0.5']) {
    expect(isWithin(text), text).toBe(true)
  }
  for (const text of [
    '0.0101',
    '1',
    '1e1',
    '0.01000000000000000000001',
    '',
    'NaN',
    '.5',
    '1e999',
  ]) {
    expect(isWithin(text), text).toBe(false)
  }
})
