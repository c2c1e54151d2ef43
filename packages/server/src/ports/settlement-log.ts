import type { EventName, StepName } from './log-names.ts'

/** What settlement reports. Codes only: never an address, an amount, a key or a body. */
export interface SettlementLog {
  /**
   * Something that an operator must look at; of one order, with the order's pseudonym in hex, by which an
   * operator who holds the epoch's key finds it.
   */
  readonly alert: (code: AlertCode, pseudonym?: string) => void
  /** A step failed and will be tried again. Only the error's kind may be written, not its text. */
  readonly failed: (step: StepName, error: unknown) => void
  /** A milestone, counted by name. */
  readonly event: (name: EventName) => void
}

export type AlertCode =
  /** The chain's root differs from ours even after a rescan: deliveries are halted. */
  | 'root_mismatch'
  /** The tree holds another leaf than an order's note: it can't be proved. */
  | 'leaf_differs'
  /** A deposit carries other terms than its order: an authoriser's key may be stolen. */
  | 'deposit_terms_differ'
  /** The chain has notes of orders that the database doesn't know: it was lost or is an old backup. */
  | 'orders_missing'
  /** An order's secrets can't be opened: it can only be settled from its ticket. */
  | 'secrets_missing'
  /** It can't be told whether an attempt landed: nothing more is sent for that order. */
  | 'attempt_unknown'
  /** No node shows the transaction of a settlement: its order ends without signature. */
  | 'history_missing'
  /** A note was settled in a way that its order's status rules out. */
  | 'outcome_contradicts_status'
  /** A recipient can't be paid: the order waits for its expiry and is refunded. */
  | 'recipient_not_payable'
  /** A refund's sender can't be paid, or has no token account: it waits until the refund window ends. */
  | 'sender_not_payable'
  /** A note is still not refunded a day after its expiry. */
  | 'refund_overdue'
  /** A delivery or refund fails when simulated, for a reason that isn't the recipient's account. */
  | 'settlement_refused'
  /** The relayers' balances are low: new orders are refused, what is deposited is still paid. */
  | 'relayers_low'
  /** No relayer has the balance to pay for a settlement. */
  | 'relayers_dry'
  /** The refund window has passed without a settlement: the note can't be paid any more. */
  | 'note_unclaimed'
  /** A vault or the order table differs from the chain's books: new orders are halted. */
  | 'books_differ'
  /** Chain and database couldn't be compared for many rounds. */
  | 'books_unchecked'
