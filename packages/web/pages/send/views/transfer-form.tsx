import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { shortfall, type Balances } from '@sotto/sdk/wallet'
import { showDecimal } from '@sotto/protocol'
import { showAmount } from '../../look/amounts.ts'
import type { Problem } from '../model/problems.ts'
import { readForm, type FormValues } from '../model/transfer-form.ts'
import { useFunds } from '../model/use-funds.ts'
import { useQuote } from '../model/use-quote.ts'
import { AmountField } from './amount-field.tsx'
import { BalanceLine } from './balance-line.tsx'
import { QuotePanel } from './quote-panel.tsx'
import { RecipientField } from './recipient-field.tsx'
import { TimingField } from './timing-field.tsx'
import type { TransferProps } from './transfer-props.ts'
import { WalletList } from './wallet-list.tsx'

interface Props extends TransferProps {
  readonly values: FormValues
  readonly change: (part: Partial<FormValues>) => void
}

/** Amount, recipient and assets, then cost, time and privacy, and only then the button to continue. */
export function TransferForm(props: Props) {
  const { config, tokens, wallet, connected, phase, run, values, change } = props
  const { errors, understood, request } = readForm(values, tokens, wallet?.address)
  const source = tokens.find(({ assetId }) => assetId === values.sourceId)
  const isBusy = phase.kind === 'preparing'
  const live = useQuote(request, phase.kind !== 'idle')
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const refused = live.kind === 'refused' ? live.problem : undefined
  const balances = useFunds(config, wallet?.address, source, quoted?.quote.quoteId)
  const lack = source && balances && quoted ? lackText(source, balances, quoted) : undefined
  const isReady = quoted !== undefined && lack === undefined && phase.kind === 'idle'
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isReady || request === undefined || wallet === undefined) return
    run.start(request, quoted, wallet.signer)
  }
  if (tokens.length === 0) {
    return <p class="card">This service takes no new transfers right now. Come back later.</p>
  }
  const ofAmount = refused?.field === 'amount' ? boundsText(refused, values, tokens) : lack
  return (
    <form class="columns" onSubmit={submit} noValidate>
      <div class="card fields">
        <h1>Send privately</h1>
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
                key={source.assetId}
                {...{ balances, source }}
                sender={wallet.address}
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
          <TimingField value={values.timing} change={(timing) => change({ timing })} />
        </fieldset>
      </div>
      <QuotePanel
        {...{ live, tokens, phase, run }}
        isConnected={wallet !== undefined}
        suggest={(base, decimals) =>
          change({ amount: showDecimal(base, decimals), mode: 'exact_out' })
        }
      />
      <div class="onward">
        <button type="submit" class="first" aria-disabled={!isReady}>
          {isBusy ? 'Preparing and checking…' : 'Continue'}
        </button>
        <p class="hint">You pay nothing until you sign in your wallet.</p>
      </div>
    </form>
  )
}

const SOL_DECIMALS = 9

/** What the wallet lacks for these terms; undefined if it holds enough. */
function lackText(
  source: Token,
  balances: Balances,
  { senderMustHold }: QuoteResponse,
): string | undefined {
  const { native, source: lacking } = shortfall(source.assetId, balances, senderMustHold)
  const parts = [
    ...(lacking > 0n ? [`${showAmount(lacking, source.decimals)} ${source.symbol}`] : []),
    ...(native > 0n ? [`${showAmount(native, SOL_DECIMALS)} SOL`] : []),
  ]
  if (parts.length === 0) return undefined
  return `Your wallet lacks ${parts.join(' and ')} for this. Pay less, or add more to it.`
}

/** The bounds of the amount, in the unit that it was entered in. */
function boundsText(
  { title, bounds }: Problem,
  { sourceId }: FormValues,
  tokens: readonly Token[],
): string {
  const token = tokens.find(({ assetId }) => assetId === sourceId)
  if (bounds === undefined || token === undefined) return title
  const [min, max] = [bounds.min, bounds.max].map((base) => showAmount(base, token.decimals))
  return `${title} Enter between ${min} and ${max} ${token.symbol}.`
}
