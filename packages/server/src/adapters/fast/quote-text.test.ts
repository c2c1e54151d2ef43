import { QuoteResponse } from '@sotto/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from '../../domain/canonical-json.ts'
import type { BesideQuote } from '../../ports/quote-text.ts'
import { quoteText } from './quote-text.ts'

const digits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const plain = fc.stringMatching(/^[0-9A-Za-z:.-]{1,44}$/)
const terms = fc.record({
  ...{ sourceAssetId: plain, destinationAssetId: plain, issuedAt: plain, expiresAt: plain },
  mode: fc.constantFrom('exact_in', 'exact_out'),
  ...{ amountIn: digits, amountOut: digits, fee: digits, protocolFee: digits, networkFee: digits },
  feeBreakdown: fc.record({ serviceFee: digits, partnerFee: digits, networkFee: digits }),
  duration: fc.nat(),
  ...{ min: digits, max: digits },
})
const beside: fc.Arbitrary<BesideQuote> = fc.record(
  {
    privacy: fc.record({
      anonymitySet: fc.nat(),
      windowSeconds: fc.nat(),
      suggestedAmounts: fc.array(digits, { maxLength: 3 }),
    }),
    linkProbability: fc.constantFrom('1', '0.25'),
    waitingHelps: fc.boolean(),
    recipientPaidBefore: fc.boolean(),
    byAmount: fc.record({
      ...{ anonymitySet: fc.nat(), waitingHelps: fc.boolean() },
      linkProbability: fc.constantFrom('1', '0.25'),
    }),
    suggestions: fc.array(
      fc.record({
        ...{ amount: digits, amountOut: digits, anonymitySet: fc.nat() },
        linkProbability: fc.constantFrom('1', '0.25'),
      }),
      { maxLength: 4 },
    ),
    rate: fc.stringMatching(/^[0-9]{1,9}(\.[0-9]{1,12})?$/),
    senderMustHold: fc.record({ native: digits, source: digits }),
  },
  { requiredKeys: ['privacy', 'senderMustHold'] },
)

it('writes a quote as canonical JSON', () => {
  fc.assert(
    fc.property(terms, (quote) => {
      expect(`{${quoteText.members(quote)}}`).toBe(canonicalJson(quote))
    }),
  )
})

it('writes an answer as JSON with exactly its members', () => {
  fc.assert(
    fc.property(terms, beside, (quote, extras) => {
      const text = quoteText.answer(canonicalJson(quote), extras)
      expect(JSON.parse(text)).toEqual({ success: true, quote, ...extras })
      expect(text).not.toMatch(/\s/)
    }),
  )
})

it("writes every member of the contract's schema", () => {
  const [made] = fc.sample(fc.tuple(terms, beside), { numRuns: 1, seed: 3 })
  const [quote, extras] = made ?? []
  const answer = JSON.parse(
    quoteText.answer(canonicalJson(quote), {
      ...extras!,
      ...{ linkProbability: '1', waitingHelps: true, recipientPaidBefore: true },
      ...{ rate: '1.5', suggestions: [] },
      byAmount: { anonymitySet: 2, linkProbability: '0.5', waitingHelps: true },
    }),
  ) as {
    quote: object
  }
  const { quote: shape, ...others } = QuoteResponse.shape
  expect(Object.keys(answer).sort()).toEqual(['quote', ...Object.keys(others)].sort())
  expect(Object.keys({ ...answer.quote, quoteId: '' }).sort()).toEqual(
    Object.keys(shape.shape).sort(),
  )
})
