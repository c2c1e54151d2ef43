import { sqlOutboxStore } from '../../../src/adapters/store/outbox/outbox-store.ts'
import { systemRandom } from '../../../src/adapters/random/system-random.ts'
import type { Database } from '../../../src/adapters/store/sql.ts'
import { sqlWebhookStore } from '../../../src/adapters/store/webhook-store.ts'
import { deliverDue } from '../../../src/notify/deliver-webhooks.ts'
import { EndpointCircuits } from '../../../src/notify/endpoint-circuits.ts'
import { Hourly } from '../../../src/notify/hourly.ts'
import type { Secrets } from '../../../src/ports/secrets.ts'
import type { SettlementLog } from '../../../src/ports/settlement-log.ts'
import type { WebhookSender } from '../../../src/ports/webhook-sender.ts'
import { WorkPool } from '../../../src/running/work-pool.ts'
import { NEW_WEBHOOK } from '../open-stores.ts'
import type { HandClock } from '../../webhooks/hand-clock.ts'

/**
 * One account has a working endpoint, and one has no endpoint. The endpoint of the third account is gone or never
 * responds.
 */
export const ACCOUNT_IDS = ['acme', 'plain', 'dead'] as const
export type AccountId = (typeof ACCOUNT_IDS)[number]

/**
 * Milliseconds between two settlements. This time isn't shorter than the pause after the first poll, so that messages
 * are polled between settlements.
 */
const STEP_MS = 40_000

export async function addAccounts(database: Database): Promise<void> {
  const webhooks = sqlWebhookStore(database)
  for (const accountId of ACCOUNT_IDS) {
    await database.query(
      'INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ($1, $1, 0, now())',
      [accountId],
    )
    if (accountId === 'plain') continue
    const webhook = { id: `wh_${accountId}`, accountId, url: `https://${accountId}.example/` }
    await webhooks.tryAdd({ ...webhook, ...NEW_WEBHOOK, createdAtMs: 0 }, 1)
  }
}

interface Parts {
  readonly database: Database
  readonly secrets: Secrets
  readonly log: SettlementLog
  readonly clock: HandClock
}

/** Starts the service's own worker with simulated endpoints. */
export function beginTelling({ database, secrets, log, clock }: Parts): {
  /** Polls for due messages until none is due, and advances the clock. */
  readonly look: () => Promise<void>
} {
  const sender: WebhookSender = {
    refusalOf: async () => undefined,
    // One message in three must be retried. At some time, the dead endpoint responds that it is gone.
    send: async ({ url }) => {
      if (!url.includes('dead')) return { kind: 'answered', status: systemRandom.below(3) > 0 ? 204 : 500 } // oxfmt-ignore
      return systemRandom.below(9) === 0 ? { kind: 'answered', status: 410 } : { kind: 'timeout' }
    },
  }
  const worker = {
    ...{ sender, log, clock, secrets: { apiKeyHmac: async () => new Uint8Array(32) } },
    ...{ circuits: new EndpointCircuits(), hourly: new Hourly(clock.nowMs()) },
    outbox: sqlOutboxStore(database, secrets),
    webhooks: sqlWebhookStore(database),
  }
  return {
    look: async () => {
      const workPool = new WorkPool(9)
      while ((await deliverDue(worker, workPool, new AbortController().signal)) > 0);
      await workPool.idle()
      clock.advance(STEP_MS)
    },
  }
}
