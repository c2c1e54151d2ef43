import type { UnixSeconds } from '@sotto/protocol'
import type { ComponentChildren } from 'preact'
import { isoOfSeconds, nowSeconds, showDay, showLeft } from '../../../look/durations.ts'
import { returnSentence } from '../../model/balance/return-words.ts'
import { isEnding } from '../../model/balance/time-of-payment.ts'

interface Props {
  readonly endsAt: UnixSeconds
  readonly isEmpty: boolean
  /** See `isFromFile`. */
  readonly isOfFile: boolean
  /** The remaining value in words. Omitted if the page already shows it next to the note. */
  readonly left?: string
  readonly children?: ComponentChildren
}

/** A warning that a balance will end in a few days. */
export function EndingNote({ endsAt, isEmpty, isOfFile, left, children }: Props) {
  const now = nowSeconds()
  if (isEmpty || !isEnding(endsAt, now)) return null
  return (
    <div class="warning ending">
      <p>
        <strong>
          {left === undefined ? 'This balance' : `Your balance of ${left}`} ends in{' '}
          {showLeft(endsAt - now)}.
        </strong>{' '}
        After {showDay(isoOfSeconds(endsAt))} you can’t send from it.{' '}
        {returnSentence(isOfFile, 'your wallet')} Sending from the balance before then postpones its
        end, except on the day on which you paid in.
      </p>
      {children}
    </div>
  )
}
