import { NATIVE_MINT } from '@sotto/protocol'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAmount } from '../../look/amounts.ts'
import { costBeside } from '../model/funds.ts'
import { isSwap, leastOf, rateOf } from '../model/swap-terms.ts'

interface Props {
  readonly quoted: QuoteResponse
  readonly tokens: readonly Token[]
}

const LAMPORT_DECIMALS = 9

/** The exact amounts: what is paid, the fees, and what arrives. */
export function Receipt({ quoted: { quote, senderMustHold }, tokens }: Props) {
  const of = (id: string) => tokens.find(({ assetId }) => assetId === id)
  const [source, destination] = [of(quote.sourceAssetId), of(quote.destinationAssetId)]
  const show = (base: bigint | string, token: Token | undefined) => (
    <>
      {showAmount(base, token?.decimals ?? 0)} <span class="unit">{token?.symbol}</span>
    </>
  )
  const { serviceFee, networkFee } = quote.feeBreakdown
  const rate = rateOf(quote, tokens)
  return (
    <>
      <p class="arrives">
        <span class="label">They receive</span>
        <strong>{show(quote.amountOut, destination)}</strong>
      </p>
      <dl class="receipt">
        <div>
          <dt>You pay, fees included</dt>
          <dd>{show(quote.amountIn, source)}</dd>
        </div>
        <div>
          <dt>Included service fee</dt>
          <dd>{show(serviceFee, source)}</dd>
        </div>
        <div>
          <dt>Included network fee</dt>
          <dd>{show(networkFee, source)}</dd>
        </div>
        {rate === undefined ? null : (
          <div>
            <dt>Rate after fees</dt>
            <dd>{rate}</dd>
          </div>
        )}
        {isSwap(quote) ? (
          <div>
            <dt>They receive at least</dt>
            <dd>{show(leastOf(quote), destination)}</dd>
          </div>
        ) : null}
        <div class="minor">
          <dt>Your wallet must hold</dt>
          <dd>
            {quote.sourceAssetId === NATIVE_MINT ? null : (
              <>{show(senderMustHold.source, source)} and </>
            )}
            {showAmount(senderMustHold.native, LAMPORT_DECIMALS)} <span class="unit">SOL</span>
          </dd>
        </div>
      </dl>
      <p class="hint">
        {isSwap(quote)
          ? 'If the price moves so far that they would receive less, you are asked again. '
          : ''}
        Besides the payment, your wallet must hold{' '}
        {showAmount(costBeside(quote.sourceAssetId, senderMustHold), LAMPORT_DECIMALS)} SOL: the
        chain’s fee, the minimum that must stay in every wallet, and a small deposit that comes back
        to your wallet by itself, but not before the next day.
      </p>
    </>
  )
}
