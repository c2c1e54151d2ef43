import type { Amount } from '@sotto/protocol'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAmount } from '../../../look/amounts.ts'

interface Props {
  readonly quoted: QuoteResponse
  readonly token: Token | undefined
  /** What the balance holds before the payment, in base units. */
  readonly value?: Amount
  /** What a person gives up who closes the balance, in base units; undefined for other payments. */
  readonly givenUp?: bigint
  /** Who receives it, if it isn't another person. */
  readonly receives?: string
}

/** What a payment takes from the balance, its fees, and what arrives; to the last digit. */
export function PaymentReceipt({ quoted, token, value, givenUp, receives }: Props) {
  const { quote } = quoted
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
          <dt>From your balance, fees included</dt>
          <dd>{show(quote.amountIn)}</dd>
        </div>
        <div>
          <dt>of which service fee</dt>
          <dd>{show(serviceFee)}</dd>
        </div>
        <div>
          <dt>of which network fee</dt>
          <dd>{show(networkFee)}</dd>
        </div>
        {givenUp === undefined ? null : (
          <>
            <div>
              <dt>Given up for good</dt>
              <dd>{show(givenUp)}</dd>
            </div>
            <div class="minor">
              <dt>All that is in your balance</dt>
              <dd>{show(BigInt(quote.amountIn) + givenUp)}</dd>
            </div>
          </>
        )}
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
