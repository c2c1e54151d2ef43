import { showDecimal } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import { showAmount } from '../../look/amounts.ts'
import { nowSeconds } from '../../look/durations.ts'
import { balanceFor } from '../model/balance/own-balances.ts'
import type { TransferProps } from './transfer-props.ts'

interface Props extends Pick<TransferProps, 'book' | 'tokens' | 'showBalances'> {
  readonly quoted: QuoteResponse
  readonly values: { readonly recipient: string }
  /** True if this is the main button of the view. */
  readonly isFirst?: boolean
  /** Called when the person leaves the transfer form to use a balance. */
  readonly left?: () => void
}

/** Proposes to send from a balance if the transfer would have no privacy. */
export function ProposeBalance({
  quoted: { quote },
  values,
  book,
  tokens,
  showBalances,
  isFirst,
  left,
}: Props) {
  const { sourceAssetId, amountIn, amountOut } = quote
  const token = tokens.find(({ assetId }) => assetId === sourceAssetId)
  const decimals = token?.decimals ?? 0
  const symbol = token?.symbol ?? ''
  const own = balanceFor(book.balances ?? [], sourceAssetId, BigInt(amountIn), nowSeconds())
  const note = own?.stored?.note
  const go = () => {
    left?.()
    if (own === undefined) book.go({ kind: 'new', assetId: sourceAssetId })
    else
      book.open(own.name, { amount: showDecimal(amountOut, decimals), recipient: values.recipient })
    showBalances()
  }
  return (
    <div class="propose">
      <p>
        <strong>Send it from a balance: that is much harder to link.</strong>{' '}
        {note === undefined
          ? `A balance is your money in a program on the blockchain, and only your key can send it. You pay in more than ${showAmount(amountIn, decimals)} ${symbol}, wait as long as the page says, and then send. What you don’t send comes back to your wallet. Everyone can see the payments, but not whose balance they come from.`
          : `You have a balance with ${showAmount(note.value, decimals)} ${symbol}. Everyone can see its payments, but not whose balance they come from.`}
      </p>
      <button type="button" class={isFirst === true ? 'first' : 'second'} onClick={go}>
        {note === undefined ? 'Pay into a balance instead' : 'Send from your balance instead'}
      </button>
    </div>
  )
}
