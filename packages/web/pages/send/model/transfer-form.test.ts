import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { expect, it } from 'vitest'
import {
  changedForm,
  emptyForm,
  missedSuggestion,
  readForm,
  timingsOf,
  withSuggestion,
} from './transfer-form.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const TOKENS = [
  { assetId: SOL, symbol: 'SOL', decimals: 9 },
  { assetId: 'usdc', symbol: 'USDC', decimals: 6 },
] as Token[]
const suggestion = { anonymitySet: 1, linkProbability: '1' }
const filled = { ...emptyForm(SOL), amount: '1.7', recipient: SOL }

it('fixes by default the amount that arrives for a send, and always the amount paid for a swap', () => {
  expect(readForm(filled, TOKENS, SOL).request).toMatchObject({
    ...{ amount: '1700000000', mode: 'exact_out' },
  })
  const given = { ...filled, mode: 'exact_in' as const }
  expect(readForm(given, TOKENS, SOL).request).toMatchObject({ mode: 'exact_in' })
  const swap = { ...filled, destinationId: 'usdc' }
  expect(readForm(swap, TOKENS, SOL).request).toMatchObject({ mode: 'exact_in' })
})

it('enters a suggestion for a send as the amount that arrives', () => {
  const one = { ...suggestion, amount: '1503106213', amountOut: '1500000000' }
  const given = { ...filled, mode: 'exact_in' as const }
  expect(withSuggestion(given, one, TOKENS)).toEqual({ amount: '1.5', mode: 'exact_out' })
})

it('enters a suggestion for a swap as the amount paid', () => {
  const swap = { ...filled, destinationId: 'usdc' }
  const one = { ...suggestion, amount: '2012345678', amountOut: '300000000' }
  expect(withSuggestion(swap, one, TOKENS)).toEqual({
    ...{ amount: '2.012345678', suggestedOut: '300000000' },
  })
})

it('keeps a suggestion for a swap until another amount or asset is chosen', () => {
  const chosen = { ...filled, destinationId: 'usdc', suggestedOut: '300000000' }
  expect(changedForm(chosen, { recipient: 'x', timing: 'latest' }).suggestedOut).toBe('300000000')
  for (const part of [{ amount: '2' }, { sourceId: 'usdc' }, { destinationId: SOL }]) {
    expect(changedForm(chosen, part).suggestedOut).toBeUndefined()
  }
  const next = { amount: '1', suggestedOut: '150000000' }
  expect(changedForm(chosen, next).suggestedOut).toBe('150000000')
})

it('reports a suggestion as missed only if a quote of its amount delivers a different amount', () => {
  const chosen = { ...filled, amount: '2', destinationId: 'usdc', suggestedOut: '300000000' }
  const { request } = readForm(chosen, TOKENS, SOL)
  const quoted = (amountIn: string, amountOut: string) =>
    ({ quote: { amountIn, amountOut } }) as QuoteResponse
  expect(missedSuggestion(chosen, request, quoted('2000000000', '300000000'))).toBeUndefined()
  expect(missedSuggestion(chosen, request, quoted('2000000000', '299999999'))).toBe('300000000')
  expect(missedSuggestion(chosen, request, quoted('2000000000', '300000001'))).toBe('300000000')
  // While the page requests the price of a new amount, it still shows the quote for the previous amount.
  expect(missedSuggestion(chosen, request, quoted('1900000000', '285000000'))).toBeUndefined()
  const typed = { ...chosen, suggestedOut: undefined }
  expect(missedSuggestion(typed, request, quoted('2000000000', '1'))).toBeUndefined()
})

it('offers to wait for a crowd only for a send', () => {
  const crowd = { ...filled, timing: 'crowd' as const }
  expect(readForm(crowd, TOKENS, SOL).request).toMatchObject({ minCrowd: 5, crowdMissed: 'refund' })
  const swap = { ...crowd, destinationId: 'usdc' }
  expect(readForm(swap, TOKENS, SOL).request).not.toHaveProperty('minCrowd')
  expect(timingsOf(true).map(({ id }) => id)).toEqual(['fast', 'usual', 'latest'])
  expect(timingsOf(false).map(({ id }) => id)).toContain('crowd')
})
