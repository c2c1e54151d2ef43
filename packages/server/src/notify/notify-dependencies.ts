import type { Clock } from '../ports/clock.ts'
import type { OutboxStore } from '../ports/outbox-store.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { WebhookStore } from '../ports/webhook-store.ts'
import type { EndpointCircuits } from './endpoint-circuits.ts'
import type { Hourly } from './hourly.ts'

/** Dependencies for notifying endpoints. */
export interface NotifyDependencies {
  readonly outbox: OutboxStore
  readonly webhooks: WebhookStore
  readonly sender: WebhookSender
  readonly secrets: Pick<Secrets, 'apiKeyHmac'>
  readonly clock: Clock
  readonly log: SettlementLog
  readonly circuits: EndpointCircuits
  readonly hourly: Hourly
}
