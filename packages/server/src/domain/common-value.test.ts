import { amount, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { mostCommonValue } from './common-value.ts'
import { ObservedMarket } from './observed-market.ts'

const MINT = 'sol' as Address
const NOW_SECONDS = 10_000
const law = { meanSeconds: 300, spreadSeconds: 1_800 }
const usual = { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 }
const delays = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }

/** A market with waiting deposits. `counts` contains the number of wallets that have deposited each value. */
const marketOf = (counts: Readonly<Record<string, number>>) =>
  new ObservedMarket(
    Object.entries(counts).map(([value, wallets]) => ({
      ...{ mint: MINT, value: amount(BigInt(value)), habit: { deposits: 50, settlements: 50 } },
      events: Array.from({ length: wallets }, (_, place) => ({
        ...{ kind: 'deposit' as const, atSeconds: NOW_SECONDS - 1 },
        wallet: `wallet ${place}` as Address,
      })),
    })),
    usual,
    NOW_SECONDS,
  )

it('the common value is the shared value with the best privacy', () => {
  const best = mostCommonValue(marketOf({ 5: 3, 7: 9, 8: 1 }), MINT, law, delays, () => true)
  expect(best?.value).toBe(7n)
  expect(best?.stated.anonymitySet).toBeGreaterThan(1)
  expect(mostCommonValue(marketOf({ 5: 1, 8: 1 }), MINT, law, delays, () => true)).toBeUndefined()
})

it('there is no common value if every value reveals the sender', () => {
  const atOnce = { minDelaySeconds: 0, maxDelaySeconds: 0 }
  expect(mostCommonValue(marketOf({ 5: 3, 7: 9 }), MINT, law, atOnce, () => true)).toBeUndefined()
})
