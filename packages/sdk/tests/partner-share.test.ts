import { amount } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountsOf, SAME_ASSET } from '../../server/src/domain/fees.ts'
import { partnerShare } from '../src/verify/check-quote.ts'

it('the SDK and the service compute the same share', () => {
  const bps = fc.integer({ min: 0, max: 2_500 })
  const input = fc.bigInt({ min: 1n, max: 2n ** 62n })
  fc.assert(
    fc.property(input, bps, bps, (amountIn, serviceBps, feeBps) => {
      const terms = { serviceBps, feeBps, networkFee: amount(0n) }
      const amounts = amountsOf(amountIn, terms, SAME_ASSET)
      fc.pre(amounts !== undefined)
      expect(partnerShare(amountIn, feeBps)).toBe(amounts.partnerFee)
    }),
    { numRuns: 2_000 },
  )
})
