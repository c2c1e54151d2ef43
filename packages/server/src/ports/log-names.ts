/** Milestones, counted by name. A closed list: a name that is put together could hold anything. */
export type EventName =
  | 'started'
  | 'stopped'
  | 'rpc_node_up'
  | 'rpc_node_down'
  | 'tariffs_changed'
  | 'prices_disagree'
  | 'client_left'
  | 'deposit_recorded'
  | 'rescan'
  | 'plan_drawn'
  | 'deliver_journalled'
  | 'refund_journalled'
  | 'attempt_dead'
  | 'delivered'
  | 'refund_begun'
  | 'refunded'
  | 'order_resealed'
  | 'epoch_destroyed'
  | 'webhook_delivered'
  | 'webhook_attempt_failed'
  | 'webhook_given_up'
  | 'webhook_disabled'

/** What can fail and is tried again: loops by their names, and single steps. */
export type StepName =
  | 'follow'
  | 'watch'
  | 'pay'
  | 'confirm'
  | 'sweep'
  | 'reclaim'
  | 'reconcile'
  | 'relayers'
  | 'destroy'
  | 'webhooks'
  | 'webhook'
  | 'plan'
  | 'draw_plan'
  | 'open_order'
  | 'read_key'
  | 'read_attempt'
  | 'renew_lease'
  | 'broadcast'
  | 'find_settlement'
  | 'judge_disputed'
  | 'reseal'
  | 'destroy_epoch'
  | 'forget_keys'
  | 'request'
  | 'event_stream'
  | 'market'
  | 'tariffs'
  | 'deny-list'
  | 'deposit-hints'
  | 'status-hints'
  | 'metrics'
  | 'tracing'
  | 'shutdown'

/** All that a milestone may be told with. */
export interface EventFacts {
  /** A node's place in the list; its URL may hold a key. */
  readonly node?: number
  readonly cluster?: string
  readonly roles?: string
  readonly requestId?: string
}
