import { EPOCH_MS, epochAt } from '../domain/epoch.ts'
import type { EventName } from '../domain/log-names.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { WebhookStore } from '../ports/webhook-store.ts'

interface Told {
  readonly webhooks: Pick<WebhookStore, 'disable'>
  readonly log: Pick<SettlementLog, 'event'>
}

/**
 * What a worker keeps to itself until the hour has turned. Said at once, that a message was sent would say
 * of the settlement just before it that its account has an endpoint; an endpoint disabled at once, which
 * account. Of a worker that dies nothing of this is told: an endpoint that is gone says so again.
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

  /** Sends nothing to an endpoint any more, of this process until the hour turns and of all then. */
  gone(webhookId: string): void {
    this.#gone.add(webhookId)
    this.count('webhook_disabled')
  }

  isGone(webhookId: string): boolean {
    return this.#gone.has(webhookId)
  }

  /** Tells it all once the hour is another. */
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
