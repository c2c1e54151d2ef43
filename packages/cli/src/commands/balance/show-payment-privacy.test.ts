import type { QuoteResponse } from '@sotto/sdk/server'
import { describe, expect, it } from 'vitest'
import { showPaymentPrivacy } from './show-payment-privacy.ts'

const SOL = { assetId: 'SOL', symbol: 'SOL', decimals: 9 } as never
const suggestions = [{ amountOut: '100000000' }, { amountOut: '150000000' }]
const textOf = (amountOut: string, isSoon: boolean) =>
  showPaymentPrivacy({ quote: { amountOut }, suggestions } as unknown as QuoteResponse, SOL, isSoon)
    .map((row) => row.join(': '))
    .join('\n')

describe('the privacy of a payment out of a balance', () => {
  it('is small soon after the top-up, and waiting helps', () => {
    const text = textOf('100000000', true)
    expect(text).toContain('blockchain: easily')
    expect(text).toContain('what helps: Wait')
  })

  it('depends later on the amount: round amounts are proposed instead of an odd amount', () => {
    const text = textOf('123000000', false)
    expect(text).toContain('only by guessing')
    expect(text).toContain(
      'what helps: Send a round amount, because an odd one stands out more: 0.1 SOL, 0.15 SOL.',
    )
    expect(textOf('120000000', false)).toContain('what helps: Wait some more hours')
  })
})
