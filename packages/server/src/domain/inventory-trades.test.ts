import { amount, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import {
  fairOutput,
  lessSlippage,
  planTrades,
  type HeldAsset,
  type Target,
} from './inventory-trades.ts'

const [SOL, USDC, BONK] = ['sol', 'usdc', 'bonk'] as Address[] as [Address, Address, Address]
const share = (percent: bigint): Target => ({ kind: 'share', bps: percent * 100n })
const LIMITS = { worthMax: amount(10n ** 15n), toleranceBps: 100n }

/**
 * An asset of the inventory. Its worth is in USDC base units: 10^9 base units of SOL are worth 150 * 10^6 base units of
 * USDC.
 */
function held(
  mint: Address,
  inventory: bigint,
  target: Target,
  more: Partial<HeldAsset> = {},
): HeldAsset {
  const worth =
    mint === SOL
      ? { numerator: 150n * 10n ** 6n, denominator: 10n ** 9n }
      : { numerator: 1n, denominator: 1n }
  return { mint, inventory: amount(inventory), reserved: amount(0n), target, worth, ...more }
}

it('sells a surplus and buys a shortfall, up to each asset’s share', () => {
  const assets = [held(SOL, 10n ** 11n, share(50n)), held(USDC, 5_000n * 10n ** 6n, share(50n))]
  const { trades, lacking, assets: planned } = planTrades(assets, LIMITS)
  expect(planned.map(({ wanted }) => wanted)).toEqual([66_666_666_666n, 10_000n * 10n ** 6n])
  expect(trades).toHaveLength(1)
  // The surplus of 33,333,333,334 base units is worth 5,000 USDC.
  expect(trades[0]).toMatchObject({ sell: SOL, buy: USDC, worth: 5_000n * 10n ** 6n })
  expect(trades[0]!.amountIn).toBeLessThanOrEqual(33_333_333_334n)
  expect(lacking).toBe(0n)
})

it('never sells a reserved amount', () => {
  const sol = held(SOL, 10n ** 11n, share(10n), { reserved: amount(99n * 10n ** 9n) })
  const { trades, lacking } = planTrades([sol, held(USDC, 0n, share(90n))], LIMITS)
  expect(trades).toHaveLength(1)
  expect(trades[0]!.amountIn).toBe(10n ** 9n)
  expect(lacking).toBeGreaterThan(0n)
  const all = { ...sol, reserved: amount(10n ** 11n + 5n) }
  expect(planTrades([all, held(USDC, 0n, share(90n))], LIMITS).trades).toEqual([])
})

it('all trades together are worth no more than the limit', () => {
  const assets = [
    held(SOL, 10n ** 11n, share(0n)),
    held(USDC, 0n, share(60n)),
    held(BONK, 0n, share(40n)),
  ]
  const all = planTrades(assets, LIMITS)
  expect(all.trades.map(({ buy }) => buy)).toEqual([USDC, BONK])
  const few = planTrades(assets, { ...LIMITS, worthMax: amount(9_500n * 10n ** 6n) })
  expect(few.trades.map(({ worth }) => worth)).toEqual([9_000n * 10n ** 6n, 500n * 10n ** 6n])
  expect(few.lacking).toBe(5_500n * 10n ** 6n)
})

it('makes no trade for a deviation within the tolerance', () => {
  const target = (units: bigint): Target => ({ kind: 'amount', amount: amount(units) })
  const plan = (inventory: bigint) =>
    planTrades([held(USDC, inventory, target(10_000n)), held(BONK, 50n, target(5_000n))], LIMITS)
  expect(plan(10_100n).trades).toEqual([])
  expect(plan(10_101n).trades).toMatchObject([{ sell: USDC, buy: BONK, amountIn: 101n }])
})

it('plans nothing for an empty inventory, or if no asset has a surplus', () => {
  const assets = [held(SOL, 0n, share(50n)), held(USDC, 0n, share(50n))]
  expect(planTrades(assets, LIMITS)).toMatchObject({ trades: [], lacking: 0n })
  const one = [held(USDC, 5n, { kind: 'amount', amount: amount(9n) })]
  expect(planTrades(one, LIMITS)).toMatchObject({ trades: [], lacking: 4n })
})

it('rounds up the amount that a trade must bring in', () => {
  // 19 base units of the sold asset are worth 1.9 base units of the bought asset. Rounding down to 1 base unit would be
  // 47 percent too little.
  const fair = fairOutput(amount(19n), { numerator: 10n, denominator: 1n })
  expect(fair).toBe(2n)
  expect(lessSlippage(fair, 100)).toBe(2n)
  expect(lessSlippage(amount(10_000n), 100)).toBe(9_900n)
  expect(lessSlippage(amount(10_001n), 100)).toBe(9_901n)
  expect(lessSlippage(amount(10_001n), 10_000)).toBe(0n)
})
