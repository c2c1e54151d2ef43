import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAmount } from '../../look/amounts.ts'

interface Props {
  readonly quoted: QuoteResponse
  readonly tokens: readonly Token[]
}

const LAMPORT_DECIMALS = 9

/** What is paid, for what, and what arrives; to the last digit. */
export function Receipt({ quoted: { quote, rate, senderMustHold }, tokens }: Props) {
  const of = (id: string) => tokens.find(({ assetId }) => assetId === id)
  const [source, destination] = [of(quote.sourceAssetId), of(quote.destinationAssetId)]
  const show = (base: string, token: Token | undefined) => (
    <>
      {showAmount(base, token?.decimals ?? 0)} <span class="unit">{token?.symbol}</span>
    </>
  )
  const isSwap = source !== destination
  const { serviceFee, networkFee } = quote.feeBreakdown
  return (
    <>
      <p class="arrives">
        <span class="label">They receive</span>
        <strong>{show(quote.amountOut, destination)}</strong>
      </p>
      <dl class="receipt">
        <div>
          <dt>You pay</dt>
          <dd>{show(quote.amountIn, source)}</dd>
        </div>
        <div>
          <dt>Service fee, in it</dt>
          <dd>{show(serviceFee, source)}</dd>
        </div>
        <div>
          <dt>Network fee, in it</dt>
          <dd>{show(networkFee, source)}</dd>
        </div>
        {isSwap && rate !== undefined ? (
          <div>
            <dt>Exchange</dt>
            <dd>at a fixed rate, in it</dd>
          </div>
        ) : null}
        <div class="minor">
          <dt>Your wallet must hold</dt>
          <dd>
            {showAmount(senderMustHold.native, LAMPORT_DECIMALS)} <span class="unit">SOL</span>
          </dd>
        </div>
      </dl>
      <p class="hint">
        More than the payment, for the chain’s fee and for a deposit that comes back by itself.
      </p>
    </>
  )
}
