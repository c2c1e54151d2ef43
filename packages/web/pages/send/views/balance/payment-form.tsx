import { parseAmount } from '@sotto/protocol'
import { givenAwayBy, type ShownNote } from '@sotto/sdk/balance'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { showAhead, showTime } from '../../../look/durations.ts'
import type { NewPayment } from '../../model/balance/balance-phase.ts'
import {
  allOf,
  exactly,
  isRound,
  readPayment,
  type PaymentValues,
  type ReadPayment,
} from '../../model/balance/payment-form.ts'
import { timesFor, WAIT_SPREAD_MS } from '../../model/balance/time-of-payment.ts'
import { useQuote, type LiveQuote } from '../../model/use-quote.ts'
import { boundsText } from '../bounds-text.ts'
import { FieldError } from '../field-error.tsx'
import { ProblemNote } from '../problem-note.tsx'
import { RecipientField } from '../recipient-field.tsx'
import { Linkers } from './linkers.tsx'
import { PaymentReceipt } from './payment-receipt.tsx'
import type { PaymentProps } from './balance-props.ts'

const WAIT_HOURS = WAIT_SPREAD_MS / 3_600_000

/**
 * The form for a payment: the amount and the recipient first, then the cost and who can link the payment, and then
 * the button.
 */
export function PaymentForm(props: PaymentProps) {
  const { note, token, run, state, readMs, stored, values, change } = props
  const read = readPayment(values, note, token)
  const { payment, request } = read
  const live = useQuote(request, false)
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  const hasPaid = stored.payments.some(({ step }) => step === 'paid')
  const times = timesFor({ clock: state.clock, readMs }, note.linkableUntil, Date.now())
  const givenAway = givenAwayBy(
    { ...note, hasPaid },
    {
      to: payment?.to ?? '',
      gross: parseAmount(quoted?.quote.amountIn ?? ''),
      at: times.now,
    },
  )
  const isTooSoon = givenAway.includes('time') && !givenAway.includes('own_wallet')
  const send = () => payment && quoted && run.pay(payment, quoted)
  const wait = () => payment && quoted && run.payLater(payment, quoted, times.fromMs)
  const submit = (event: Event) => {
    event.preventDefault()
    if (isTooSoon) wait()
    else send()
  }
  const settledText = showTime(new Date(times.fromMs).toISOString())
  return (
    <form class="columns pay" onSubmit={submit} noValidate>
      <div class="card fields">
        <h2>Send from this balance</h2>
        <Fields {...{ values, change, read, note, token, live }} />
      </div>
      <aside class="card panel" aria-label="Cost, and who can link this payment">
        <Terms {...{ live, quoted, token, note }} />
        {quoted === undefined ? null : (
          <Linkers
            {...{ givenAway, token }}
            isPaidBefore={quoted.recipientPaidBefore === true}
            rounder={isRound(quoted.quote.amountOut) ? [] : (quoted.suggestions ?? [])}
            suggest={(one) => change(exactly(one, token))}
            settled={`${settledText}, ${showAhead(times.left)}`}
            isOwnNode={props.config.rpcUrl === null}
          />
        )}
      </aside>
      <div class="onward">
        <SendButtons {...{ isTooSoon, send }} isReady={quoted !== undefined} at={settledText} />
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly values: PaymentValues
  readonly change: (part: Partial<PaymentValues>) => void
  readonly read: ReadPayment
  readonly note: ShownNote
  readonly token: Token | undefined
  readonly live: LiveQuote
}

function Fields({ values, change, read, note, token, live }: FieldsProps) {
  const refused = live.kind === 'refused' ? live.problem : undefined
  const ofAmount = refused?.field === 'amount' ? boundsText(refused, token) : undefined
  const error = read.errors.amount ?? ofAmount
  return (
    <>
      <div class="field">
        <label for="pay-amount">
          {values.mode === 'exact_out' ? 'They receive' : 'All that is left, fees included'}
        </label>
        <div class="joined with-unit">
          <input
            id="pay-amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0.00"
            value={values.amount}
            aria-invalid={error !== undefined}
            aria-describedby="pay-amount-error"
            onInput={({ currentTarget }) =>
              change({ amount: currentTarget.value, mode: 'exact_out' })
            }
          />
          <span class="unit-box">{token?.symbol}</span>
        </div>
        <p class="balance">
          <span>Fees come on top, out of the balance.</span>
          <button type="button" class="pill" onClick={() => change(allOf(note, token))}>
            Send all
          </button>
        </p>
        <FieldError id="pay-amount-error" text={error} />
        {error !== undefined || read.understood === undefined ? null : (
          <p class="hint">This is {read.understood}.</p>
        )}
      </div>
      <RecipientField
        value={values.recipient}
        change={(recipient) => change({ recipient })}
        error={
          read.errors.recipient ?? (refused?.field === 'recipient' ? refused.title : undefined)
        }
        isOwn={false}
      />
    </>
  )
}

interface TermsProps {
  readonly live: LiveQuote
  readonly quoted: QuoteResponse | undefined
  readonly token: Token | undefined
  readonly note: ShownNote
}

function Terms({ live, quoted, token, note }: TermsProps) {
  const isGeneral = live.kind === 'refused' && live.problem.field === undefined
  return (
    <>
      <h2>{quoted === undefined ? 'Cost and privacy' : 'Your payment'}</h2>
      {quoted === undefined && !isGeneral ? (
        <p class="hint" role="status">
          {live.kind === 'asking'
            ? 'Getting the price…'
            : 'Enter an amount and a recipient to see here what it costs, and who can link it to you.'}
        </p>
      ) : null}
      {quoted === undefined ? null : <PaymentReceipt {...{ quoted, token }} value={note.value} />}
      {isGeneral ? <ProblemNote problem={{ ...live.problem, canRetry: false }} /> : null}
    </>
  )
}

interface ButtonProps {
  readonly isTooSoon: boolean
  readonly isReady: boolean
  readonly at: string
  readonly send: () => NewPayment | void | undefined
}

/**
 * The button that sends the payment. If a payment now would be easy to link, there are two buttons: one waits, and
 * the other sends immediately.
 */
function SendButtons({ isTooSoon, isReady, at, send }: ButtonProps) {
  if (!isTooSoon || !isReady) {
    return (
      <>
        <button type="submit" class="first" aria-disabled={!isReady}>
          Send
        </button>
        <p class="hint">
          Sending is final. Your browser signs the payment, and your wallet is not asked.
        </p>
      </>
    )
  }
  return (
    <>
      <div class="row">
        <button type="submit" class="first">
          Wait until after {at}, then send
        </button>
        <button type="button" class="second" onClick={() => void send()}>
          Send now, easy to link
        </button>
      </div>
      <p class="hint">
        The page then sends the payment at a random moment within {WAIT_HOURS} hours. Until then
        keep the page open and the computer awake. You can stop the wait at any time. Or come back
        tomorrow: a payment a day after you paid in is even harder to link.
      </p>
    </>
  )
}
