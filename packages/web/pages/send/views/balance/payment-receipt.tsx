import type { Amount } from '@sotto/protocol'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAmount } from '../../../look/amounts.ts'

interface Props {
  readonly quoted: QuoteResponse
  readonly token: Token | undefined
  /** What the balance holds before the payment, in base units. */
  readonly value?: Amount
  /** Who receives it, if it isn't another person. */
  readonly receives?: string
}

/** What a payment takes from the balance, its fees, and what arrives; to the last digit. */
export function PaymentReceipt({ quoted: { quote }, token, value, receives }: Props) {
  const show = (base: bigint | string) => (
    <>
      {showAmount(base, token?.decimals ?? 0)} <span class="unit">{token?.symbol}</span>
    </>
  )
  const { serviceFee, networkFee } = quote.feeBreakdown
  return (
    <>
      <p class="arrives">
        <span class="label">{receives ?? 'They receive'}</span>
        <strong>{show(quote.amountOut)}</strong>
      </p>
      <dl class="receipt">
        <div>
          <dt>From your balance</dt>
          <dd>{show(quote.amountIn)}</dd>
        </div>
        <div>
          <dt>Service fee (included)</dt>
          <dd>{show(serviceFee)}</dd>
        </div>
        <div>
          <dt>Network fee (included)</dt>
          <dd>{show(networkFee)}</dd>
        </div>
        {value === undefined ? null : (
          <div class="minor">
            <dt>Left afterwards</dt>
            <dd>{show(value - BigInt(quote.amountIn))}</dd>
          </div>
        )}
      </dl>
    </>
  )
}
