import type { QuoteResponse } from '@sotto/sdk/server'
import { privacyInWords, type AskedCrowd } from '@sotto/sdk/wallet'
import { showAmount } from '../../look/amounts.ts'
import type { FormValues } from '../model/transfer-form.ts'
import { ProposeBalance } from './propose-balance.tsx'
import type { TransferProps } from './transfer-props.ts'
import { ViewHeading } from './view-heading.tsx'

interface Props extends TransferProps {
  readonly quoted: QuoteResponse
  readonly asked: AskedCrowd
  readonly values: FormValues
}

/** Asks for the second confirmation, which a transfer without privacy needs. */
export function Alone(props: Props) {
  const { quoted, asked, tokens, run } = props
  const { quote } = quoted
  const { verdict, reason, delay, amounts } = privacyInWords(quoted, asked)
  const suggested =
    amounts.length === 0 ? '' : 'Go back and choose one of the suggested amounts that others send. '
  const other = `${suggested}${delay ?? ''}`
  const token = tokens.find(({ assetId }) => assetId === quote.destinationAssetId)
  const amount = `${showAmount(quote.amountOut, token?.decimals ?? 0)} ${token?.symbol ?? ''}`
  return (
    <div class="card narrow">
      <ViewHeading>
        {verdict === 'yes'
          ? 'Anyone can link this transfer to you'
          : 'Can anyone link this to you?'}
      </ViewHeading>
      <p class="now">
        {verdict === 'yes'
          ? `Anyone who reads the public blockchain can find out that you sent ${amount} to this recipient.`
          : `Can anyone who reads the public blockchain find out that you sent ${amount} to this recipient? Answer: ${verdict}.`}
      </p>
      <p>{reason} This service also knows who pays whom, because it delivers the payment.</p>
      <p class="crowd-question">What helps?</p>
      <ProposeBalance {...props} isFirst left={() => run.answer(false)} />
      {other === '' ? null : <p>{other}</p>}
      <div class="row">
        <button type="button" class="second" onClick={() => run.answer(false)}>
          Go back and change it
        </button>
        <button type="button" class="second" onClick={() => run.answer(true)}>
          Send it anyway
        </button>
      </div>
      <p class="hint">Nothing has been ordered or paid yet.</p>
    </div>
  )
}
