import type { Token } from '@sotto/sdk/server'
import { shortfall } from '@sotto/sdk/wallet'
import type { ComponentChildren } from 'preact'
import {
  LIVES,
  readTopUp,
  usePreviewKey,
  type TopUpValues,
} from '../../model/balance/top-up-form.ts'
import { useFunds } from '../../model/use-funds.ts'
import { useQuote } from '../../model/use-quote.ts'
import { BalanceLine } from '../balance-line.tsx'
import { boundsText, lackText } from '../bounds-text.ts'
import { ChoiceField } from '../choice-field.tsx'
import { FieldError } from '../field-error.tsx'
import { ViewHeading } from '../view-heading.tsx'
import { WalletList } from '../wallet-list.tsx'
import type { BalanceProps } from './balance-props.ts'
import { TopUpPanel } from './top-up-panel.tsx'

interface Props extends BalanceProps {
  readonly values: TopUpValues
  readonly change: (part: Partial<TopUpValues>) => void
}

/** The form for a new balance: its amount and its lifetime, and what it costs. */
export function TopUpForm(props: Props) {
  const { book, config, tokens, wallet, connected, values, change } = props
  const key = usePreviewKey()
  const source = tokens.find(({ assetId }) => assetId === values.assetId)
  const { error, understood, request, topUp } = readTopUp(values, source, wallet?.address, key)
  const isBusy = book.topUpPhase.kind !== 'idle'
  const live = useQuote(request, isBusy)
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const refused = live.kind === 'refused' ? live.problem : undefined
  const balances = useFunds(config, wallet?.address, source, quoted?.quote.quoteId)
  const lack =
    source && balances && quoted
      ? lackText(source, shortfall(source.assetId, balances, quoted.senderMustHold))
      : undefined
  const ofAmount = refused?.field === 'amount' ? boundsText(refused, source) : lack
  const isReady = quoted !== undefined && lack === undefined && !isBusy
  const submit = (event: Event) => {
    event.preventDefault()
    if (isReady && topUp && wallet) book.topUp.start(topUp, wallet.signer)
  }
  return (
    <form class="columns" onSubmit={submit} noValidate>
      <div class="card fields">
        <ViewHeading>Pay into a new balance</ViewHeading>
        {wallet === undefined ? (
          <WalletList chain={`solana:${config.cluster}`} connected={connected} />
        ) : null}
        <fieldset disabled={isBusy}>
          <legend class="visually-hidden">Top-up</legend>
          <PaidInField {...{ values, change, tokens, understood }} error={error ?? ofAmount}>
            {wallet === undefined || source === undefined ? null : (
              <BalanceLine
                key={`${wallet.address} ${source.assetId}`}
                {...{ balances, source }}
                sender={wallet.address}
                typed={values.amount}
                pay={(amount) => change({ amount })}
              />
            )}
          </PaidInField>
          <LifeField value={values.life} change={(life) => change({ life })} />
        </fieldset>
      </div>
      <TopUpPanel {...{ live, source }} />
      <Onward {...{ isReady, isBusy }} back={() => book.go({ kind: 'list' })} />
    </form>
  )
}

interface FieldProps {
  readonly values: TopUpValues
  readonly change: (part: Partial<TopUpValues>) => void
  readonly tokens: readonly Token[]
  readonly error: string | undefined
  /** The typed amount in the page's own format; undefined if the person typed it in that format. */
  readonly understood: string | undefined
  /** The wallet's balance, and a button that enters the most that can be paid. */
  readonly children: ComponentChildren
}

function PaidInField({ values, change, tokens, error, understood, children }: FieldProps) {
  return (
    <div class="field">
      <label for="top-up-amount">You pay in</label>
      <div class="joined">
        <input
          id="top-up-amount"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={values.amount}
          aria-invalid={error !== undefined}
          aria-describedby="top-up-amount-error top-up-advice"
          onInput={({ currentTarget }) => change({ amount: currentTarget.value })}
        />
        <label class="visually-hidden" for="top-up-asset">
          Asset that you pay in
        </label>
        <select
          id="top-up-asset"
          value={values.assetId}
          onChange={({ currentTarget }) => change({ assetId: currentTarget.value })}
        >
          {tokens.map(({ assetId, symbol }) => (
            <option key={assetId} value={assetId}>
              {symbol}
            </option>
          ))}
        </select>
      </div>
      {children}
      <FieldError id="top-up-amount-error" text={error} />
      {error !== undefined || understood === undefined ? null : (
        <p class="hint">This is {understood}.</p>
      )}
      <p id="top-up-advice" class="hint">
        Pay in more than your next payment. If you pay in an amount and then send all of it, the two
        equal amounts show that the payment is yours.
      </p>
    </div>
  )
}

interface LifeProps {
  readonly value: TopUpValues['life']
  readonly change: (life: TopUpValues['life']) => void
}

function LifeField({ value, change }: LifeProps) {
  return (
    <ChoiceField
      {...{ legend: 'The balance lasts', name: 'life', choices: LIVES, value, change }}
      isEqual
      hint="The money that you have not sent by then returns to your wallet by itself. The return costs no fee, but it shows everyone how much you have sent in total."
    />
  )
}

interface OnwardProps {
  readonly isReady: boolean
  readonly isBusy: boolean
  readonly back: () => void
}

function Onward({ isReady, isBusy, back }: OnwardProps) {
  return (
    <div class="onward">
      <div class="row">
        <button type="submit" class="first" aria-disabled={!isReady}>
          {isBusy ? 'Preparing and checking…' : 'Continue'}
        </button>
        <button type="button" class="quiet" onClick={back}>
          Back to your balances
        </button>
      </div>
      <p class="hint">You pay nothing until you sign in your wallet.</p>
    </div>
  )
}
