import type { BalanceState, ShownBalance, ShownNote } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import { useState } from 'preact/hooks'
import { shortAddress, showAmount } from '../../../look/amounts.ts'
import { isoOfSeconds, showDay, showLeft } from '../../../look/durations.ts'
import { endedSentence, isFromFile, returnSentence } from '../../model/balance/return-words.ts'
import { downloadBalance } from '../../model/ticket-file.ts'
import { ViewHeading } from '../view-heading.tsx'
import { EndingNote } from './ending-note.tsx'
import { BackButton } from './back-button.tsx'
import type { ReadyProps } from './balance-props.ts'
import { PaymentForm } from './payment-form.tsx'
import { TakeBack } from './take-back.tsx'

/** Shows the balance's value and end date, the payment form, and the button that returns the rest to the wallet. */
export function ReadyBalance(props: ReadyProps) {
  const { state, stored, tokens, book, run } = props
  const [isTakingBack, setTakingBack] = useState(false)
  const token = tokens.find(({ assetId }) => assetId === state.assetId)
  const { note } = stored
  if (note === undefined) return null
  const isOpen = state.status === 'open'
  const isOfFile = isFromFile(run.name, note)
  if (isTakingBack && isOpen) {
    return (
      <TakeBack
        {...{ ...props, note, token }}
        paidIn={stored.paidIn}
        back={() => setTakingBack(false)}
      />
    )
  }
  const left = `${showAmount(state.value, token?.decimals ?? 0)} ${token?.symbol ?? 'base units'} left`
  return (
    <>
      <div class="card wide">
        <ViewHeading>{HEADINGS[state.status] ?? left}</ViewHeading>
        <p>{whatHappens(state, note, isOfFile)}</p>
        <EndingNote endsAt={state.endsAt} isEmpty={!isOpen} isOfFile={isOfFile} />
        <div class="row">
          {isOpen ? (
            <button type="button" class="second" onClick={() => setTakingBack(true)}>
              Take the rest back
            </button>
          ) : null}
          {state.status === 'empty' || state.status === 'closed' ? (
            <Remove {...props} />
          ) : (
            <SaveFile note={note} />
          )}
          <BackButton back={() => book.go({ kind: 'list' })} />
        </div>
        {isOpen ? (
          <p class="hint">
            The balance file opens this balance in another browser, or in this browser if it has
            lost its data. Anyone who has the file can spend the balance.
          </p>
        ) : null}
        <Payments {...{ stored, token }} />
      </div>
      {isOpen ? <PaymentForm {...{ ...props, note, token }} /> : null}
    </>
  )
}

const HEADINGS: Readonly<Partial<Record<BalanceState['status'], string>>> = {
  ended: 'This balance has ended',
  closed: 'You took this balance back',
}

function whatHappens(
  { status, endsAt, senderAddress }: BalanceState,
  { lifeSeconds, orderId }: ShownNote,
  isOfFile: boolean,
): string {
  const wallet = `the wallet ${shortAddress(senderAddress)} that paid in`
  switch (status) {
    case 'open':
      return `You can send it until ${showDay(isoOfSeconds(endsAt))}. If you send from it on a later day, this date moves to ${showLeft(lifeSeconds)} after the start of that day (UTC). ${returnSentence(isOfFile, wallet)}`
    case 'closed':
      return 'The rest was taken back. You gave up what is left here, so that it is harder to find your payments by adding up amounts. With the file of this balance you could take this amount back until 30 days after the balance’s end, but everyone would then see the exact sum of your payments. To give the amount up permanently, delete the file and remove the balance from this browser.'
    case 'empty':
      return 'The whole balance was sent or taken back. You can delete the file of this balance, and remove the balance from this browser.'
    case 'ended':
      return endedSentence(isOfFile, wallet, { orderId, endsAt })
  }
}

/**
 * A button that deletes the balance. It is shown only for an empty or closed balance, because the secret of such a
 * balance isn't needed any more.
 */
function Remove({ run, book }: ReadyProps) {
  const remove = async () => {
    await run.forget()
    book.go({ kind: 'list' })
  }
  return (
    <button type="button" class="second" onClick={() => void remove()}>
      Remove it from this browser
    </button>
  )
}

function SaveFile({ note }: { readonly note: ShownNote }) {
  return (
    <button type="button" class="quiet" onClick={() => downloadBalance(note.orderId, note.ticket)}>
      Save the balance file
    </button>
  )
}

interface PaymentsProps {
  readonly stored: ShownBalance
  readonly token: Token | undefined
}

/** The payments that this browser made from the balance. */
function Payments({ stored: { payments }, token }: PaymentsProps) {
  const made = payments.flatMap(({ to, paid }) => (paid === undefined ? [] : [{ to, ...paid }]))
  if (made.length === 0) return null
  return (
    <details>
      <summary>
        {made.length === 1 ? '1 payment' : `${made.length} payments`} made in this browser
      </summary>
      <ul class="made">
        {made.map(({ trackingId, to, payout }) => (
          <li key={trackingId}>
            {showAmount(payout, token?.decimals ?? 0)} {token?.symbol} to{' '}
            <span class="mono address">{to}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
