import type { Token } from '@sotto/contract'
import { amount, NATIVE_MINT, parseAmount, type Address, type Amount } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chanceText, stateQuote } from '../../domain/state-quote.ts'
import { ObservedMarket } from '../../domain/observed-market.ts'
import { priceTransfer } from '../quote/price-transfer.ts'
import { ServiceError } from '../service-error.ts'
import { listTokens } from './list-tokens.ts'
import type { Market, MarketAsset } from './market.ts'

const NOW_SECONDS = 10_000
const LAW = { meanSeconds: 300, spreadSeconds: 1_800 }
const DELAYS = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }

interface Listing {
  readonly serviceBps: number
  readonly networkFee: Amount
  readonly inputMax: Amount
  readonly payoutMin: Amount
}

/** SOL with these settings, and deposits of these values, each from four wallets, that look undelivered. */
function marketOf({ payoutMin, networkFee, ...listing }: Listing, values: readonly Amount[]) {
  const asset = {
    listing: {
      ...{ mint: NATIVE_MINT, symbol: 'SOL', name: 'Solana', decimals: 9, kind: 'native' },
      ...{ ...listing, networkFeeExists: networkFee, networkFeeCreated: networkFee },
    },
    facts: { depositMax: listing.inputMax, payoutMin, depositsPaused: false },
  } as unknown as MarketAsset
  const shown = values.map((value) => ({
    ...{ mint: NATIVE_MINT, value, habit: { deposits: 50, settlements: 50 } },
    events: Array.from({ length: 4 }, (_, place) => ({
      ...{ kind: 'deposit' as const, atSeconds: NOW_SECONDS - 1 },
      wallet: `wallet ${place}` as Address,
    })),
  }))
  const observed = new ObservedMarket(shown, { ...DELAYS, meanSeconds: 300 }, NOW_SECONDS)
  const assets = new Map([[NATIVE_MINT as string, asset]])
  return { asset, market: { assets, observed, takenAtMs: 0, isLiquid: true } as unknown as Market }
}

function tokenOf(market: Market): Token {
  const delays = { ...DELAYS, meanSeconds: 300, windowSeconds: 3_600 }
  const d = { market: { latest: market }, arrivalSeconds: () => 1, law: LAW, delays }
  return listTokens(d as unknown as Parameters<typeof listTokens>[0]).tokens[0]!
}

/** The privacy that a quote states for a transfer of exactly this amount; undefined if the quote is refused. */
function stated({ asset, market }: ReturnType<typeof marketOf>, asked: Amount) {
  try {
    const priced = priceTransfer(undefined, 0, {
      ...{ mode: 'exact_out', amount: asked, source: asset, destination: asset },
      ...{ accountExisted: true, feeBps: 0, shareMax: 0n, isTopUp: false },
    })
    const { value } = priced.amounts
    const transfer = { mint: NATIVE_MINT, value, sender: 'stranger' as Address, delays: DELAYS }
    return stateQuote(market.observed, LAW, transfer)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

const value = fc.bigInt({ min: 1n, max: 3_000_000_000n }).map(amount)
const listings = fc.record({
  serviceBps: fc.integer({ min: 0, max: 1_000 }),
  networkFee: fc.bigInt({ min: 0n, max: 1_000_000n }).map(amount),
  inputMax: fc.constantFrom(1_000_000_000n, 2_000_000_000n).map(amount),
  payoutMin: fc.constantFrom(1n, 890_880n).map(amount),
})

it('the common amount of an asset can be sent, and has the privacy that the list states', () => {
  fc.assert(
    fc.property(listings, fc.array(value, { maxLength: 3 }), (listing, values) => {
      const shown = marketOf(listing, values)
      const { commonAmount, anonymitySet, linkProbability } = tokenOf(shown.market)
      if (commonAmount === null) return
      const quoted = stated(shown, parseAmount(commonAmount!)!)
      expect([anonymitySet, linkProbability]).toEqual([
        quoted?.anonymitySet,
        quoted && chanceText(quoted.linkProbability),
      ])
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  ['a value whose payout a smaller value pays too', 1_000_000_001n],
  ['a value that does not cover the fee', 90_000n],
  ['a value whose payout is below the minimum', 900_000n],
  ['a value above the maximum', 2_000_000_000n],
])('no amount is common because of %s', (_name, deposited) => {
  const listing = {
    ...{ serviceBps: 20, networkFee: amount(100_000n) },
    ...{ inputMax: amount(1_500_000_000n), payoutMin: amount(890_880n) },
  }
  const { market } = marketOf(listing, [amount(deposited)])
  expect(tokenOf(market)).toMatchObject({ commonAmount: null, anonymitySet: 1 })
  const common = marketOf(listing, [amount(deposited), amount(1_000_000_000n)])
  expect(tokenOf(common.market)).toMatchObject({ commonAmount: '997900000' })
})
