import { showDecimal } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import { showAmount } from '../../look/amounts.ts'
import { nowSeconds } from '../../look/durations.ts'
import { balanceFor } from '../model/balance/own-balances.ts'
import { isSwap } from '../model/swap-terms.ts'
import type { TransferProps } from './transfer-props.ts'

interface Props extends Pick<TransferProps, 'book' | 'tokens' | 'showBalances'> {
  readonly quoted: QuoteResponse
  readonly values: { readonly recipient: string }
  /** True if this is the main button of the view. */
  readonly isFirst?: boolean
  /** Called when the person leaves the transfer form to use a balance. */
  readonly left?: () => void
}

/**
 * Proposes to send from a balance, because that can hide the payment better. A balance can't swap. So instead of a
 * swap, the page proposes a payment out of a balance of the asset that arrives.
 */
export function ProposeBalance({
  quoted: { quote },
  values,
  book,
  tokens,
  showBalances,
  isFirst,
  left,
}: Props) {
  const { sourceAssetId, destinationAssetId, amountIn, amountOut } = quote
  const isExchange = isSwap(quote)
  const needed = isExchange ? amountOut : amountIn
  const token = tokens.find(({ assetId }) => assetId === destinationAssetId)
  const decimals = token?.decimals ?? 0
  const symbol = token?.symbol ?? ''
  const own = balanceFor(book.balances ?? [], destinationAssetId, BigInt(needed), nowSeconds())
  const note = own?.stored?.note
  const source = tokens.find(({ assetId }) => assetId === sourceAssetId)?.symbol ?? 'your money'
  const first = isExchange ? `First exchange ${source} for ${symbol} in your own wallet. ` : ''
  const go = () => {
    left?.()
    if (own === undefined) book.go({ kind: 'new', assetId: destinationAssetId })
    else
      book.open(own.name, { amount: showDecimal(amountOut, decimals), recipient: values.recipient })
    showBalances()
  }
  return (
    <div class="propose">
      <p>
        <strong>
          {isExchange ? `Send ${symbol} from a balance` : 'Send it from a balance'}: that can be
          much harder to link, if you wait after paying in and other people have balances too.
        </strong>{' '}
        {note === undefined
          ? `${first}A balance is your money in a program on the blockchain, and only your key can send it. You pay in more than ${showAmount(needed, decimals)} ${symbol}, wait as long as the page says, and then send. What you don’t send comes back to your wallet. Everyone can see the payments, but not whose balance they come from.`
          : `You have a balance with ${showAmount(note.value, decimals)} ${symbol}. Everyone can see its payments, but not whose balance they come from.`}
      </p>
      <button type="button" class={isFirst === true ? 'first' : 'second'} onClick={go}>
        {note === undefined ? 'Pay into a balance instead' : 'Send from your balance instead'}
      </button>
    </div>
  )
}
