import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openJupiterPrices } from '../../src/adapters/prices/jupiter-prices.ts'
import { movedClock } from '../remote/no-wait-clock.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
let jupiter: RemoteServer
let isThin = false
beforeEach(async () => {
  jupiter = await startRemote(({ url }) => {
    const asked = Object.fromEntries(url.searchParams) as Record<string, string>
    const { inputMint = '', outputMint = '', amount = '', swapMode } = asked
    const units = BigInt(amount)
    // One SOL is worth 150 dollars. Selling more than 1,000 SOL moves the price by more than 1 %.
    const honest = (units * 150_000_000n) / 10n ** 9n
    const outAmount = isThin && units === 10n ** 9n ? 1n : honest
    const impact = units > 10n ** 12n ? '0.5' : '0.0001'
    return {
      status: 200,
      json: {
        ...{ inputMint, inAmount: amount, outputMint, outAmount: `${outAmount}`, swapMode },
        ...{ priceImpactPct: impact, contextSlot: 1_000 },
      },
    }
  })
})
afterEach(() => jupiter.close())

it('one odd answer of the source does not end the rates of a pair until the restart', async () => {
  const prices = openJupiterPrices({
    ...{ url: jupiter.url, apiKey: undefined, clock: movedClock(1_000_000) },
    decimalsOf: async (mint) => (mint === USDC ? 6 : 9),
    readSlot: async () => 1_010n,
    impactBps: 100,
  })
  expect(await prices.readRate(NATIVE_MINT, USDC)).toBeDefined()
  isThin = true
  await prices.readRate(NATIVE_MINT, USDC)
  isThin = false
  // The source is honest again, now and for ever.
  for (let time = 0; time < 20; time += 1) await prices.readRate(NATIVE_MINT, USDC)
  expect(jupiter.asked.at(-1)!.url.searchParams.get('amount')).toBe('1000000000')
  expect(await prices.readRate(NATIVE_MINT, USDC)).toBeDefined()
})
