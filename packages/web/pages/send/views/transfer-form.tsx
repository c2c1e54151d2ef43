import { showDecimal } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'
import { useState } from 'preact/hooks'
import { showAmount } from '../../look/amounts.ts'
import type { Problem } from '../model/problems.ts'
import { readForm, type FormValues } from '../model/transfer-form.ts'
import { useQuote } from '../model/use-quote.ts'
import { AmountField } from './amount-field.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { RecipientField } from './recipient-field.tsx'
import { TimingField } from './timing-field.tsx'
import type { TransferProps } from './transfer-props.ts'
import { WalletList } from './wallet-list.tsx'

/** Amount, recipient and assets beside what they cost, how long it takes and how private it is. */
export function TransferForm(props: TransferProps) {
  const { config, tokens, wallet, connected, phase, run } = props
  const first = tokens[0]?.assetId ?? ''
  const [values, setValues] = useState<FormValues>({
    ...{ sourceId: first, destinationId: first, amount: '', recipient: '' },
    ...{ mode: 'exact_in', timing: 'soon' },
  })
  const change = (part: Partial<FormValues>) => setValues((before) => ({ ...before, ...part }))
  const { errors, request } = readForm(values, tokens, wallet?.address)
  const isBusy = phase.kind === 'preparing'
  const live = useQuote(request, phase.kind !== 'idle')
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const refused = live.kind === 'refused' ? live.problem : undefined
  const submit = (event: Event) => {
    event.preventDefault()
    if (request === undefined || quoted === undefined || wallet === undefined) return
    run.start(request, quoted, wallet.signer)
  }
  if (tokens.length === 0) {
    return <p class="card">This service takes no new transfers now. Come back later.</p>
  }
  const ofAmount = refused?.field === 'amount' ? boundsText(refused, values, tokens) : undefined
  return (
    <div class="columns">
      <form class="card" onSubmit={submit} noValidate>
        <h1>Send privately</h1>
        {wallet === undefined ? (
          <WalletList chain={`solana:${config.cluster}`} connected={connected} />
        ) : null}
        <fieldset disabled={isBusy}>
          <legend class="visually-hidden">Transfer</legend>
          <AmountField {...{ values, change, tokens }} error={errors.amount ?? ofAmount} />
          <RecipientField
            value={values.recipient}
            change={(recipient) => change({ recipient })}
            error={errors.recipient ?? (refused?.field === 'recipient' ? refused.title : undefined)}
            isOwn={values.recipient.trim() === wallet?.address}
          />
          <TimingField value={values.timing} change={(timing) => change({ timing })} />
        </fieldset>
        <button type="submit" class="first" aria-disabled={quoted === undefined || isBusy}>
          {isBusy ? 'Preparing and checking…' : 'Continue'}
        </button>
        <p class="hint">Nothing is paid before you sign in your wallet.</p>
      </form>
      <QuotePanel
        {...{ live, tokens, phase, run }}
        isConnected={wallet !== undefined}
        suggest={(base, decimals) =>
          change({ amount: showDecimal(base, decimals), mode: 'exact_out' })
        }
      />
    </div>
  )
}

/** Between what the amount must lie, in the unit that it was entered in. */
function boundsText(
  { title, bounds }: Problem,
  { sourceId }: FormValues,
  tokens: readonly Token[],
): string {
  const token = tokens.find(({ assetId }) => assetId === sourceId)
  if (bounds === undefined || token === undefined) return title
  const [min, max] = [bounds.min, bounds.max].map((base) => showAmount(base, token.decimals))
  return `${title} It must lie between ${min} and ${max} ${token.symbol}.`
}
