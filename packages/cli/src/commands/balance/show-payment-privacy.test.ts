import type { GivenAwayBy } from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import { describe, expect, it } from 'vitest'
import { showPaymentPrivacy } from './show-payment-privacy.ts'

const SOL = { assetId: 'SOL', symbol: 'SOL', decimals: 9 } as never
const suggestions = [{ amountOut: '100000000' }, { amountOut: '150000000' }]
const textOf = (amountOut: string, given: readonly GivenAwayBy[] = [], proposed = suggestions) =>
  showPaymentPrivacy(
    { quote: { amountOut }, suggestions: proposed } as unknown as QuoteResponse,
    SOL,
    given,
  )
    .map((row) => row.join(': '))
    .join('\n')

describe('the privacy of a payment out of a balance', () => {
  it('is small soon after the top-up, and waiting helps', () => {
    const text = textOf('100000000', ['time'])
    expect(text).toContain('blockchain: easily')
    expect(text).toContain('what helps: Wait')
  })

  it('depends on the amount once the top-up is no longer recent', () => {
    const text = textOf('123000000')
    expect(text).toContain('only by guessing')
    expect(text).toContain(
      'what helps: Send a round amount, because an odd amount stands out more: 0.1 SOL, 0.15 SOL.',
    )
    expect(textOf('120000000')).toContain('what helps: Wait a few more hours')
  })

  it('is small if the amount or the recipient points to the top-up', () => {
    const whole = textOf('100000000', ['amount'])
    expect(whole).toContain('takes all that was paid in')
    expect(whole).toContain('leave some money')
    const allLeft = textOf('100000000', ['sum'])
    expect(allLeft).toContain('takes all that is left')
    expect(allLeft).toContain('leave some money')
    const own = textOf('100000000', ['own_wallet'])
    expect(own).toContain('easily. The payment goes to the wallet that paid in')
    expect(own).toContain('Send to another wallet')
  })

  it('depends on earlier payments to the recipient', () => {
    const rowsFor = (recipientPaidBefore: boolean) =>
      showPaymentPrivacy(
        { quote: { amountOut: '100000000' }, recipientPaidBefore } as unknown as QuoteResponse,
        ...([SOL, []] as const),
      )
    const more = rowsFor(true).filter(([, text]) =>
      text.includes('paid through this service before'),
    )
    expect(more).toHaveLength(1)
    expect(rowsFor(true)).toHaveLength(rowsFor(false).length + 1)
  })

  it('is never called good for an odd amount', () => {
    expect(textOf('123000000', [], [])).toContain('what helps: Send a round amount')
  })
})
