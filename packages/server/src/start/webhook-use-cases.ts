import { ChangeHub } from '../adapters/changes/change-hub.ts'
import { sqlOutboxStore } from '../adapters/store/outbox/outbox-store.ts'
import { sqlWebhookStore } from '../adapters/store/webhook-store.ts'
import type { Database } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'
import type { ArrivalSeconds } from '../domain/delivery-schedule.ts'
import type { UseCases } from '../http/use-cases.ts'
import type { Clock } from '../ports/clock.ts'
import type { NotePaths } from '../ports/note-paths.ts'
import type { OrderStore } from '../ports/order-store.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { StatusChanges } from '../ports/status-changes.ts'
import {
  addWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
  testWebhook,
} from '../usecases/webhook/manage-webhooks.ts'
import { DirectSends } from '../usecases/webhook/direct-sends.ts'
import { watchStatus } from '../usecases/status/watch-status.ts'
import { listDeliveries, replayDelivery } from '../usecases/webhook/webhook-deliveries.ts'
import { senderFor } from './start-notify.ts'

type PushUseCases = Pick<
  UseCases,
  | 'watchStatus'
  | 'addWebhook'
  | 'listWebhooks'
  | 'removeWebhook'
  | 'rotateWebhook'
  | 'enableWebhook'
  | 'testWebhook'
  | 'listDeliveries'
  | 'replayDelivery'
>

interface PushParts {
  readonly config: Config
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: Clock
  readonly random: Random
  readonly changes?: StatusChanges
}

/** The use cases for notifying partners through streams and endpoints. */
export function webhookUseCases(
  parts: PushParts,
  {
    orders,
    notePaths,
    arrivalSeconds,
  }: {
    readonly orders: OrderStore
    readonly notePaths: NotePaths
    readonly arrivalSeconds: ArrivalSeconds
  },
): PushUseCases {
  const { config, database, secrets, clock, random } = parts
  const d = {
    ...{ orders, notePaths, arrivalSeconds, secrets, clock, random },
    outbox: sqlOutboxStore(database, secrets),
    webhooks: sqlWebhookStore(database),
    sender: senderFor(config),
    directSends: new DirectSends(clock),
    // If there are no notifications of status changes, streams only poll.
    changes: parts.changes ?? new ChangeHub(),
  }
  return {
    watchStatus: (account, id, after, signal) => watchStatus(d, account, id, after, signal),
    addWebhook: (account, url) => addWebhook(d, account, url),
    listWebhooks: (account) => listWebhooks(d, account),
    removeWebhook: (account, id) => removeWebhook(d, account, id),
    rotateWebhook: (account, id) => rotateWebhook(d, account, id),
    enableWebhook: (account, id) => enableWebhook(d, account, id),
    testWebhook: (account, id) => testWebhook(d, account, id),
    listDeliveries: (account, id, query) => listDeliveries(d, account, id, query),
    replayDelivery: (account, id, delivery) => replayDelivery(d, account, id, delivery),
  }
}
