// These lists are fixed, because a name that is composed at run time could contain secrets.

/** Conditions that require an operator's action. Each code has a page in docs/runbooks. */
export const ALERT_CODES = [
  /**
   * The chain's root differs from ours even after a rescan. Only notes under a root that the chain confirms are paid.
   */
  'root_mismatch',
  /** The tree has a different leaf at the index of an order's note, so the note can't be proved. */
  'leaf_differs',
  /**
   * The tree has leaves that belong to no order and to no order's settlement. An authoriser's key may have been stolen.
   */
  'deposit_terms_differ',
  /** The chain has notes of orders that the database doesn't know. The database was lost or is an old backup. */
  'orders_missing',
  /** An order's secrets can't be opened. The order can only be settled with its ticket. */
  'secrets_missing',
  /** It is unknown whether an attempt landed. No other attempt is made for its order in the meantime. */
  'attempt_unknown',
  /** No node shows the transaction of a settlement. If the order ends anyway, its final record lacks the signature. */
  'history_missing',
  /** The nodes' answers about how a note was settled contradict each other. The note's order stays open. */
  'nodes_disagree',
  /** A note was settled in a way that contradicts its order's status. */
  'outcome_contradicts_status',
  /** A recipient can't be paid now. The delivery is retried until the expiry, and then the order is refunded. */
  'recipient_not_payable',
  /**
   * The sender has no token account, or can't receive the refund. The refund is retried until the refund window ends.
   */
  'sender_not_payable',
  /** A note hasn't been refunded a day after its expiry. */
  'refund_overdue',
  /**
   * The simulation of a delivery or refund fails, although a check just before found that the payee's account can be
   * paid.
   */
  'settlement_refused',
  /**
   * The next attempt of an order could exceed the allowed sum of priority fees. The order waits until the price falls.
   */
  'order_cost_at_limit',
  /** The relayers' balances are low. New orders are refused, and existing deposits are still paid. */
  'relayers_low',
  /** No relayer has enough balance to pay for a settlement. */
  'relayers_dry',
  /** The refund window has passed, and no settlement of the note is known. The note can't be paid any more. */
  'note_unclaimed',
  /** A vault or the order table differs from the chain's books. New orders are halted. */
  'books_differ',
  /** The chain and the database couldn't be compared for many rounds. */
  'books_unchecked',
] as const
export type AlertCode = (typeof ALERT_CODES)[number]

/** Milestones. They are counted by name. */
export const EVENT_NAMES = [
  'started',
  'stopped',
  'rpc_node_up',
  'rpc_node_down',
  /** A node belongs to another cluster than the other nodes. It counts as down and isn't used. */
  'rpc_node_foreign',
  'tariffs_changed',
  'prices_disagree',
  'client_left',
  'deposit_recorded',
  'rescan',
  /** The tree file's leaves don't give the chain's root. All leaves are hashed again. */
  'tree_file_refuted',
  'plan_drawn',
  'deliver_journalled',
  'refund_journalled',
  'attempt_dead',
  'price_raised',
  'delivered',
  'refund_begun',
  'refunded',
  'payment_expired',
  /** A prover reports a fault that slows down its proofs or keeps it from starting. */
  'prover_fault',
  'invented_deposit_ended',
  'order_resealed',
  'epoch_destroyed',
  'webhook_delivered',
  'webhook_attempt_failed',
  'webhook_given_up',
  'webhook_disabled',
] as const
export type EventName = (typeof EVENT_NAMES)[number]

/** The steps whose failures are logged: the loops, single steps within them, and other work. */
export const STEP_NAMES = [
  'follow',
  'watch',
  'pay',
  'confirm',
  'sweep',
  'reclaim',
  'reconcile',
  'explain',
  'end_invented',
  'notice_endings',
  'relayers',
  'unit_price',
  'destroy',
  'keep_tree',
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
  'recipients',
  'tariffs',
  'deny-list',
  'deposit-hints',
  'status-hints',
  'metrics',
  'tracing',
  'shutdown',
] as const
export type StepName = (typeof STEP_NAMES)[number]
