/**
 * Every kind of fault, with its probability at each opportunity. The probability applies only in runs that have the
 * kind switched on, and each run multiplies all probabilities by its own factor. An opportunity is a port call, a
 * block, a transaction or a customer's order. Faults that belong to none of these get an opportunity every ten seconds.
 */
export const FAULT_RATES = {
  /** A process dies before a port call has had any effect. */
  crash_before_call: 0.006,
  /** A process dies after a port call has had its effect, and before the process receives the answer. */
  crash_after_call: 0.006,
  /** A process is stopped cleanly, as by an operator, and started again. */
  graceful_restart: 0.004,
  /** A node answers with an error immediately, and the request has no effect. */
  rpc_error: 0.03,
  /** A node doesn't answer, and the request has no effect. */
  rpc_timeout: 0.015,
  /** A node executes a request but doesn't answer. */
  rpc_timeout_done: 0.02,
  /** A node executes a request only long after the caller's timeout. */
  rpc_late_effect: 0.02,
  /** A node answers with the state of older blocks. */
  lagging_node: 0.1,
  /** A node reports a block height that is too low. */
  height_too_low: 0.05,
  /** A node reports a block height that the chain hasn't reached. */
  height_too_high: 0.02,
  /** A process's node stops receiving blocks, for minutes or as long as faults last. */
  stuck_node: 0.003,
  /** A process's node doesn't answer, for minutes. */
  dead_node: 0.003,
  /** A process's node reports wrong heights, for minutes or as long as faults last. */
  wrong_heights: 0.003,
  /** A process's node has lost some transactions, for minutes or as long as faults last. */
  forgetful_node: 0.003,
  /** A node answers a request for the books with parts of two blocks. A second read is consistent. */
  torn_books: 0.4,
  /** A node's history lacks a transaction that has landed. */
  hidden_transaction: 0.1,
  /** A node gives a wrong leaf or root among the entries of the ring. */
  false_entry: 0.1,
  /** A node returns the ring's entries from two blocks. */
  torn_ring: 0.15,
  /** A node reports a slot and a time that are hours ahead; the next read is correct. */
  future_head: 0.02,
  /** The published leaves contain a leaf that isn't in the tree. */
  false_leaves: 0.3,
  /**
   * An attacker appends a thousand leaves before a broadcast settlement lands. These leaves may overwrite the
   * settlement's root.
   */
  leaf_flood: 0.04,
  /** A node doesn't know yet which transaction settled a note. */
  missing_history: 0.3,
  /** Blocks that were not final are replaced. Their transactions land later or never. */
  fork: 0.02,
  /** A transaction never reaches a leader. */
  dropped_transaction: 0.2,
  /** A transaction reaches a leader late, in some cases only after its blockhash has expired. */
  late_transaction: 0.15,
  /** No block is made for a while. */
  chain_halt: 0.01,
  /** The chain's clock starts an hour late. */
  chain_clock_lag: 0.35,
  /** The chain's clock leaps ahead from one block to the next. */
  chain_clock_leap: 0.01,
  /** A worker's wall clock jumps by up to forty days, forward or back. */
  wall_clock_jump: 0.03,
  /** A database statement fails without writing anything. */
  database_error: 0.01,
  /** The database connection is cut after the commit, and before the process receives the answer. */
  database_commit_unknown: 0.01,
  /** The database connection is cut, and the server commits only after the caller has continued. */
  database_late_commit: 0.006,
  /** The database refuses all statements for a while. */
  database_restart: 0.006,
  /** The keystore can't be read. */
  keystore_error: 0.01,
  /** A relayer's balance is spent outside the service. */
  relayers_dry: 0.02,
  /** The prover fails. */
  prover_failure: 0.25,
  /** A proof takes longer than a lease. */
  prover_slow: 0.25,
  /** Settlement receives several hints of new work at once, although nothing happened. */
  duplicate_notification: 0.1,
  /** A recipient's token account is frozen or closed. */
  recipient_breaks: 0.6,
  /** A recipient closes their empty token account when they see that a delivery to it was broadcast. */
  recipient_farms_rent: 0.5,
  /**
   * A sender closes the token account to which a refund would go. The sender opens this account again long after the
   * refund is due.
   */
  sender_farms_rent: 0.3,
  /** A recipient turns their wallet's address into a token account, so that the program can't pay lamports to it. */
  recipient_turns: 0.25,
  /**
   * The sender's and the recipient's token accounts are frozen for days. Then the service can't pay to either account.
   */
  both_accounts_freeze: 0.12,
  /** No prover works for ten or forty minutes. Most orders live for less than forty minutes. */
  prover_outage: 0.002,
  /**
   * Leaders demand a price that changes over time. They drop nine of ten transactions that offer less. The price is
   * drawn from a separate stream of random numbers.
   */
  congestion: 1,
  /** The price source doesn't answer. */
  price_error: 0.15,
  /** The address screener doesn't answer. */
  screener_error: 0.06,
  /** A worker waits for minutes for the key with which it reseals an order. */
  slow_reseal: 0.8,
} as const

export type FaultKind = keyof typeof FAULT_RATES

export const FAULT_KINDS = Object.keys(FAULT_RATES) as FaultKind[]
