/**
 * Every kind of fault, with how likely it is at each opportunity when a run has it switched on: a port call,
 * a block, a transaction, or (for those that occur by themselves) a check every ten seconds.
 */
export const FAULT_RATES = {
  /** A process dies before a port call has any effect. */
  crash_before_call: 0.006,
  /** A process dies once a port call has had its effect, before it learns so. */
  crash_after_call: 0.006,
  /** A process is stopped as by an operator, and started again. */
  graceful_restart: 0.004,
  /** A node answers with an error immediately; nothing happened. */
  rpc_error: 0.03,
  /** A node doesn't answer; nothing happened. */
  rpc_timeout: 0.015,
  /** A node doesn't answer although it did what was asked. */
  rpc_timeout_done: 0.02,
  /** A node does what was asked only long after the caller gave up. */
  rpc_late_effect: 0.02,
  /** A node answers from older blocks. */
  lagging_node: 0.1,
  /** A node reports a block height that is too low. */
  height_too_low: 0.05,
  /** A node reports a block height that the chain hasn't reached. */
  height_too_high: 0.02,
  /** A process's node stops taking in blocks, for minutes or as long as faults last. */
  stuck_node: 0.003,
  /** A process's node doesn't answer, for minutes. */
  dead_node: 0.003,
  /** A process's node reports wrong heights, for minutes or as long as faults last. */
  wrong_heights: 0.003,
  /** A process's node has lost some transactions, for minutes or as long as faults last. */
  forgetful_node: 0.003,
  /** A node answers a request for the books with parts of two blocks, which a second read doesn't repeat. */
  torn_books: 0.4,
  /** A node's history lacks a transaction that landed. */
  hidden_transaction: 0.1,
  /** A node gives a wrong leaf or root among the entries of the ring. */
  false_entry: 0.1,
  /** A node gives the ring's entries in parts of two blocks. */
  torn_ring: 0.15,
  /** A node reports a slot and a time that are hours ahead; another read doesn't repeat it. */
  future_head: 0.02,
  /** Published leaves hold one that isn't the tree's. */
  false_leaves: 0.3,
  /** A thousand leaves are appended while a settlement is on its way: its root may be overwritten. */
  leaf_flood: 0.04,
  /** A node doesn't know yet how a note was settled. */
  missing_history: 0.3,
  /** Blocks that were not final are replaced; their transactions come later or never. */
  fork: 0.02,
  /** A transaction never reaches a leader. */
  dropped_transaction: 0.2,
  /** A transaction lands only shortly before its blockhash expires. */
  late_transaction: 0.15,
  /** No block is made for a while. */
  chain_halt: 0.01,
  /** The chain's clock starts an hour behind. */
  chain_clock_lag: 0.35,
  /** The chain's clock leaps ahead, within a block. */
  chain_clock_leap: 0.01,
  /** A worker's clock jumps, by up to forty days either way. */
  wall_clock_jump: 0.03,
  /** A statement fails and nothing was written. */
  database_error: 0.01,
  /** The connection is cut after the commit and before its answer. */
  database_commit_unknown: 0.01,
  /** The connection is cut and the server commits after the caller has gone on. */
  database_late_commit: 0.006,
  /** The database refuses everything for a while. */
  database_restart: 0.006,
  /** The keystore can't be read. */
  keystore_error: 0.01,
  /** A relayer's balance is spent elsewhere. */
  relayers_dry: 0.02,
  /** The prover fails. */
  prover_failure: 0.25,
  /** A proof takes longer than a lease. */
  prover_slow: 0.25,
  /** Settlement is hinted although nothing happened, several times at once. */
  duplicate_notification: 0.1,
  /** A recipient's token account is frozen or closed. */
  recipient_breaks: 0.6,
  /** A recipient closes their token account whenever a delivery to it is on its way. */
  recipient_farms_rent: 0.5,
  /** A sender closes the token account that the money came from, until the refund has waited for it. */
  sender_farms_rent: 0.3,
  /** A recipient makes a token account of their wallet, so that no lamports can be paid. */
  recipient_turns: 0.25,
  /** Sender's and recipient's token accounts are frozen for days: neither can be paid. */
  both_accounts_freeze: 0.12,
  /** No prover works, for longer than some orders last. */
  prover_outage: 0.002,
  /** The source of prices doesn't answer. */
  price_error: 0.15,
  /** The screening of addresses doesn't answer. */
  screener_error: 0.06,
} as const

export type FaultKind = keyof typeof FAULT_RATES

export const FAULT_KINDS = Object.keys(FAULT_RATES) as FaultKind[]
