import type { QuoteResponse } from '@sotto/sdk/server'
import { ViewHeading } from '../view-heading.tsx'
import type { OpenProps } from './balance-props.ts'
import { openToken } from './open-token.ts'
import { PaymentReceipt } from './payment-receipt.tsx'

/** Asks the person about a price that they haven't seen. */
export function RepricedPayment({
  quoted,
  run,
  book,
  tokens,
}: OpenProps & { quoted: QuoteResponse }) {
  const token = openToken(book, tokens)
  return (
    <div class="card narrow">
      <ViewHeading>Check the price</ViewHeading>
      <p>These terms are new. Nothing has been signed yet.</p>
      <PaymentReceipt {...{ quoted, token }} />
      <div class="row">
        <button type="button" class="first" onClick={() => run.answer(true)}>
          Send with this price
        </button>
        <button type="button" class="second" onClick={() => run.answer(false)}>
          Don’t send
        </button>
      </div>
    </div>
  )
}
