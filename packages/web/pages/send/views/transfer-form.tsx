import type { QuoteRequest } from '@sotto/sdk/server'
import { shortfall } from '@sotto/sdk/wallet'
import {
  missedSuggestion,
  readForm,
  withSuggestion,
  type FormValues,
  type Suggestion,
} from '../model/transfer-form.ts'
import { useFunds } from '../model/use-funds.ts'
import { useQuote, type LiveQuote } from '../model/use-quote.ts'
import { AmountField } from './amount-field.tsx'
import { BalanceLine } from './balance-line.tsx'
import { boundsText, lackText } from './bounds-text.ts'
import { ProposeBalance } from './propose-balance.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { RecipientField } from './recipient-field.tsx'
import { TimingField } from './timing-field.tsx'
import type { TransferProps } from './transfer-props.ts'
import { WalletList } from './wallet-list.tsx'

interface Props extends TransferProps {
  readonly values: FormValues
  readonly change: (part: Partial<FormValues>) => void
}

/**
 * The transfer form: the amount, the recipient and the assets first, then cost, time and privacy, and then the button
 * to continue.
 */
export function TransferForm(props: Props) {
  const { config, tokens, wallet, connected, phase, run, values, change } = props
  const { errors, understood, request } = readForm(values, tokens, wallet?.address)
  const source = tokens.find(({ assetId }) => assetId === values.sourceId)
  const isBusy = phase.kind === 'preparing'
  const live = useQuote(request, phase.kind !== 'idle')
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const refused = live.kind === 'refused' ? live.problem : undefined
  const balances = useFunds(config, wallet?.address, source, quoted?.quote.quoteId)
  const lack =
    source && balances && quoted
      ? lackText(source, shortfall(source.assetId, balances, quoted.senderMustHold))
      : undefined
  const isReady = quoted !== undefined && lack === undefined && phase.kind === 'idle'
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isReady || request === undefined || wallet === undefined) return
    run.start(request, quoted, wallet.signer, values.suggestedOut)
  }
  if (tokens.length === 0) {
    return <p class="card">This service takes no new transfers right now. Come back later.</p>
  }
  const ofAmount = refused?.field === 'amount' ? boundsText(refused, source) : lack
  return (
    <form class="columns" onSubmit={submit} noValidate>
      <div class="card fields">
        <h1>Send money</h1>
        {wallet === undefined ? (
          <WalletList chain={`solana:${config.cluster}`} connected={connected} />
        ) : null}
        <fieldset disabled={isBusy}>
          <legend class="visually-hidden">Transfer</legend>
          <AmountField
            {...{ values, change, tokens, understood }}
            error={errors.amount ?? ofAmount}
          >
            {wallet === undefined || source === undefined ? null : (
              <BalanceLine
                key={`${wallet.address} ${source.assetId}`}
                {...{ balances, source }}
                sender={wallet.address}
                typed={values.amount}
                pay={(amount) => change({ amount, mode: 'exact_in' })}
              />
            )}
          </AmountField>
          <RecipientField
            value={values.recipient}
            change={(recipient) => change({ recipient })}
            error={errors.recipient ?? (refused?.field === 'recipient' ? refused.title : undefined)}
            isOwn={values.recipient.trim() === wallet?.address}
          />
          <TimingField {...{ values, change }} windowSeconds={quoted?.privacy.windowSeconds} />
        </fieldset>
      </div>
      <Terms {...props} {...{ live, request }} />
      <Onward {...{ isReady, isBusy }} />
    </form>
  )
}

interface TermsProps extends Props {
  readonly live: LiveQuote
  readonly request: QuoteRequest | undefined
}

/** Cost, time and privacy, and advice on how to hide the transfer better. */
function Terms({ live, request, ...props }: TermsProps) {
  const { tokens, wallet, phase, run, values, change } = props
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const suggest = (one: Suggestion) => {
    // If the person chooses a new amount, decline the new price of the previous amount.
    if (phase.kind === 'repriced') run.answer(false)
    change(withSuggestion(values, one, tokens))
  }
  return (
    <QuotePanel
      {...{ live, tokens, phase, run }}
      asked={request}
      isConnected={wallet !== undefined}
      missed={(shown) => missedSuggestion(values, request, shown)}
      suggest={suggest}
    >
      {quoted === undefined ? null : <ProposeBalance {...{ ...props, quoted }} />}
    </QuotePanel>
  )
}

interface OnwardProps {
  readonly isReady: boolean
  readonly isBusy: boolean
}

function Onward({ isReady, isBusy }: OnwardProps) {
  return (
    <div class="onward">
      <button type="submit" class="first" aria-disabled={!isReady}>
        {isBusy ? 'Preparing and checking…' : 'Continue'}
      </button>
      <p class="hint">You pay nothing until you sign in your wallet.</p>
    </div>
  )
}
