import { EPOCH_MS, epochAt } from '../domain/epoch.ts'
import type { EventName } from '../domain/log-names.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { WebhookStore } from '../ports/webhook-store.ts'

interface Told {
  readonly webhooks: Pick<WebhookStore, 'disable'>
  readonly log: Pick<SettlementLog, 'event'>
}

/**
 * Data that a worker withholds until the hour changes. Counting a sent message immediately would reveal that the
 * account of the latest settlement has an endpoint. Disabling an endpoint immediately would reveal which account the
 * endpoint belongs to. If a worker crashes, its counts are lost. An endpoint that the worker was about to disable is
 * then disabled only after the endpoint's next response with status 410.
 */
export class Hourly {
  #hour: number
  #events: EventName[] = []
  #gone = new Set<string>()

  constructor(nowMs: number) {
    this.#hour = epochAt(nowMs)
  }

  count(event: EventName): void {
    this.#events.push(event)
  }

  /** Stops sending to an endpoint: immediately in this process, and in all other processes once the hour changes. */
  gone(webhookId: string): void {
    this.#gone.add(webhookId)
    this.count('webhook_disabled')
  }

  isGone(webhookId: string): boolean {
    return this.#gone.has(webhookId)
  }

  /** Publishes the withheld data once the hour has changed. */
  async turn({ webhooks, log }: Told, nowMs: number): Promise<void> {
    const hour = epochAt(nowMs)
    if (hour === this.#hour) return
    this.#hour = hour
    for (const name of this.#events.splice(0).sort()) log.event(name)
    for (const id of [...this.#gone]) {
      await webhooks.disable(id, hour * EPOCH_MS)
      this.#gone.delete(id)
    }
  }
}
