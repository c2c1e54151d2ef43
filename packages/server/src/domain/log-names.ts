// Closed lists: a name that is composed at run time could contain anything.

/** Conditions that an operator must act on. Each code has its page in docs/runbooks. */
export const ALERT_CODES = [
  /** The chain's root differs from ours even after a rescan: only notes under a root that the chain confirms are paid. */
  'root_mismatch',
  /** The tree has another leaf at the place of an order's note: the note can't be proved. */
  'leaf_differs',
  /** The tree has leaves of no order and no settlement of one: an authoriser's key may be stolen. */
  'deposit_terms_differ',
  /** The chain has notes of orders that the database doesn't know: it was lost or is an old backup. */
  'orders_missing',
  /** An order's secrets can't be opened: it can only be settled from its ticket. */
  'secrets_missing',
  /** It is unknown if an attempt landed: nothing more is sent for that order. */
  'attempt_unknown',
  /** No node shows the transaction of a settlement: its order ends without a signature. */
  'history_missing',
  /** A note was settled in a way that its order's status rules out. */
  'outcome_contradicts_status',
  /** A recipient can't be paid: the order waits for its expiry and is refunded. */
  'recipient_not_payable',
  /** A refund's sender can't be paid, or has no token account: it waits until the refund window ends. */
  'sender_not_payable',
  /** A note is still not refunded a day after its expiry. */
  'refund_overdue',
  /** A delivery or refund fails when simulated, for a reason that isn't the recipient's account. */
  'settlement_refused',
  /** The relayers' balances are low: new orders are refused, and existing deposits are still paid. */
  'relayers_low',
  /** No relayer has the balance to pay for a settlement. */
  'relayers_dry',
  /** The refund window has passed without a settlement: the note can't be paid any more. */
  'note_unclaimed',
  /** A vault or the order table differs from the chain's books: new orders are halted. */
  'books_differ',
  /** Chain and database couldn't be compared for many rounds. */
  'books_unchecked',
] as const
export type AlertCode = (typeof ALERT_CODES)[number]

/** Milestones, counted by name. */
export const EVENT_NAMES = [
  'started',
  'stopped',
  'rpc_node_up',
  'rpc_node_down',
  'tariffs_changed',
  'prices_disagree',
  'client_left',
  'deposit_recorded',
  'rescan',
  'plan_drawn',
  'deliver_journalled',
  'refund_journalled',
  'attempt_dead',
  'delivered',
  'refund_begun',
  'refunded',
  'payment_expired',
  'order_resealed',
  'epoch_destroyed',
  'webhook_delivered',
  'webhook_attempt_failed',
  'webhook_given_up',
  'webhook_disabled',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** Steps that are repeated if they fail: loops by their names, and single steps. */
export const STEP_NAMES = [
  'follow',
  'watch',
  'pay',
  'confirm',
  'sweep',
  'reclaim',
  'reconcile',
  'relayers',
  'destroy',
  'webhooks',
  'webhook',
  'plan',
  'draw_plan',
  'open_order',
  'read_key',
  'read_attempt',
  'renew_lease',
  'broadcast',
  'find_settlement',
  'find_deposit',
  'catch_up',
  'reseal',
  'destroy_epoch',
  'forget_keys',
  'request',
  'event_stream',
  'market',
  'tariffs',
  'deny-list',
  'deposit-hints',
  'status-hints',
  'metrics',
  'tracing',
  'shutdown',
] as const
export type StepName = (typeof STEP_NAMES)[number]
