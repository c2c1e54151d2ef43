import { sqlOutboxStore } from '../adapters/store/outbox/outbox-store.ts'
import { sqlWebhookStore } from '../adapters/store/webhook-store.ts'
import { httpSender } from '../adapters/webhooks/http-sender.ts'
import { startWebhooks, type RunningWebhooks } from '../notify/start-webhooks.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { Config } from '../config.ts'
import type { WorkerParts } from './start-worker.ts'

/** The sender of webhooks. An endpoint may be on this machine only if the chain is local. */
export const senderFor = ({ CLUSTER }: Config): WebhookSender =>
  httpSender({ allowsLoopback: CLUSTER === 'localnet' })

/** Starts sending the events of orders to partners' endpoints. */
export function startNotify(
  parts: Omit<WorkerParts, 'rpc' | 'recipients' | 'gauges' | 'meters' | 'tracing' | 'notify'>,
): RunningWebhooks {
  const { config, database, secrets, clock, log } = parts
  return startWebhooks({
    outbox: sqlOutboxStore(database, secrets),
    webhooks: sqlWebhookStore(database),
    sender: senderFor(config),
    ...{ secrets, clock, log },
  })
}
