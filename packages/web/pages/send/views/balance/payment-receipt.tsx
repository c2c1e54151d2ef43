import type { Amount } from '@sotto/protocol'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAmount } from '../../../look/amounts.ts'

interface Props {
  readonly quoted: QuoteResponse
  readonly token: Token | undefined
  /** The balance's value before the payment, in base units. */
  readonly value?: Amount
  /** The amount that stays in the pool when the balance is closed, in base units; undefined for other payments. */
  readonly givenUp?: bigint
  /** The payee in words, if the payee isn't another person. */
  readonly receives?: string
}

/**
 * A payment's receipt with exact amounts: the amount that leaves the balance, the fees, and the amount that arrives.
 */
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
          <dt>Included service fee</dt>
          <dd>{show(serviceFee)}</dd>
        </div>
        <div>
          <dt>Included network fee</dt>
          <dd>{show(networkFee)}</dd>
        </div>
        {givenUp === undefined ? null : (
          <>
            <div>
              <dt>Given up permanently</dt>
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
