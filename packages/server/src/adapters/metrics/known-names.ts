import type { EventName, StepName } from '../../ports/log-names.ts'
import type { AlertCode } from '../../ports/settlement-log.ts'

// Every counter starts at zero for each of its names: a rule that asks by how much one grew sees nothing
// in one that appears together with its first count.

const alerts: Readonly<Record<AlertCode, true>> = {
  root_mismatch: true,
  leaf_differs: true,
  deposit_terms_differ: true,
  orders_missing: true,
  secrets_missing: true,
  attempt_unknown: true,
  history_missing: true,
  outcome_contradicts_status: true,
  recipient_not_payable: true,
  sender_not_payable: true,
  refund_overdue: true,
  settlement_refused: true,
  relayers_low: true,
  relayers_dry: true,
  note_unclaimed: true,
  books_differ: true,
  books_unchecked: true,
}

const events: Readonly<Record<EventName, true>> = {
  started: true,
  stopped: true,
  rpc_node_up: true,
  rpc_node_down: true,
  tariffs_changed: true,
  prices_disagree: true,
  client_left: true,
  deposit_recorded: true,
  rescan: true,
  plan_drawn: true,
  deliver_journalled: true,
  refund_journalled: true,
  attempt_dead: true,
  delivered: true,
  refund_begun: true,
  refunded: true,
  order_resealed: true,
  epoch_destroyed: true,
  webhook_delivered: true,
  webhook_attempt_failed: true,
  webhook_given_up: true,
  webhook_disabled: true,
}

const steps: Readonly<Record<StepName, true>> = {
  follow: true,
  watch: true,
  pay: true,
  confirm: true,
  sweep: true,
  reclaim: true,
  reconcile: true,
  relayers: true,
  destroy: true,
  webhooks: true,
  webhook: true,
  plan: true,
  draw_plan: true,
  open_order: true,
  read_key: true,
  read_attempt: true,
  renew_lease: true,
  broadcast: true,
  find_settlement: true,
  judge_disputed: true,
  reseal: true,
  destroy_epoch: true,
  forget_keys: true,
  request: true,
  event_stream: true,
  market: true,
  tariffs: true,
  'deny-list': true,
  'deposit-hints': true,
  'status-hints': true,
  metrics: true,
  tracing: true,
  shutdown: true,
}

export const ALERT_CODES = Object.keys(alerts) as readonly AlertCode[]
export const EVENT_NAMES = Object.keys(events) as readonly EventName[]
export const STEP_NAMES = Object.keys(steps) as readonly StepName[]
