import type { QuoteResponse } from '@sotto/sdk/server'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keepsTerms, leastOf } from './swap-terms.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const amount = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })

const quotedOf = (destinationAssetId: string, amountIn: bigint, amountOut: bigint) =>
  ({
    quote: {
      ...{ sourceAssetId: SOL, destinationAssetId, fee: '5' },
      ...{ amountIn: `${amountIn}`, amountOut: `${amountOut}` },
    },
  }) as QuoteResponse

describe('terms that a person agreed to', () => {
  it('are kept by a quote for a swap that costs the same and delivers at least the minimum', () => {
    fc.assert(
      fc.property(amount, amount, amount, (amountIn, shown, offered) => {
        const agreed = quotedOf(USDC, amountIn, shown)
        const least = leastOf(agreed.quote)
        expect(least).toBeLessThanOrEqual(shown)
        expect(least * 1_000n).toBeGreaterThanOrEqual(shown * 995n)
        expect(keepsTerms(agreed, quotedOf(USDC, amountIn, offered))).toBe(offered >= least)
        expect(keepsTerms(agreed, quotedOf(USDC, amountIn + 1n, shown))).toBe(false)
      }),
    )
  })

  it('are kept only by a quote that delivers the suggested amount, if a suggestion was chosen for a swap', () => {
    fc.assert(
      fc.property(amount, amount, amount, (amountIn, shown, offered) => {
        const agreed = quotedOf(USDC, amountIn, shown)
        const suggested = `${shown}`
        expect(leastOf(agreed.quote, suggested)).toBe(shown)
        expect(keepsTerms(agreed, agreed, suggested)).toBe(true)
        for (const other of [offered, shown + 1n]) {
          const quoted = quotedOf(USDC, amountIn, other)
          expect(keepsTerms(agreed, quoted, suggested)).toBe(other === shown)
          // The agreed quote already missed this suggestion, so its terms are compared as for any other swap.
          const missed = keepsTerms(agreed, quoted, `${shown + 1n}`)
          expect(missed).toBe(keepsTerms(agreed, quoted))
        }
      }),
    )
  })

  it('are kept only by a quote with the same amounts for a send', () => {
    fc.assert(
      fc.property(amount, amount, (amountIn, amountOut) => {
        const agreed = quotedOf(SOL, amountIn, amountOut)
        expect(leastOf(agreed.quote)).toBe(amountOut)
        expect(keepsTerms(agreed, quotedOf(SOL, amountIn, amountOut))).toBe(true)
        expect(keepsTerms(agreed, quotedOf(SOL, amountIn, amountOut - 1n))).toBe(false)
      }),
    )
  })
})
