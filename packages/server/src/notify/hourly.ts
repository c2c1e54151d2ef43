import { EPOCH_MS, epochAt } from '../domain/epoch.ts'
import type { EventName } from '../domain/log-names.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { Webhook, WebhookStore } from '../ports/webhook-store.ts'

interface Told {
  readonly webhooks: Pick<WebhookStore, 'disable'>
  readonly log: Pick<SettlementLog, 'event' | 'failed'>
}

/**
 * Data that a worker withholds until the hour changes. Counting a sent message immediately would reveal that the
 * account of the latest settlement has an endpoint. Disabling an endpoint immediately would reveal which account the
 * latest settlement belongs to. If a worker crashes, its counts are lost. An endpoint that the worker was about to
 * disable is
 * then disabled only after the endpoint's next response with status 410.
 */
export class Hourly {
  #hour: number
  #events: EventName[] = []
  /** The endpoints that answered 410, each with its `timesEnabled` at that time and the hour of its answer. */
  #gone = new Map<string, { readonly timesEnabled: number; readonly hour: number }>()

  constructor(nowMs: number) {
    this.#hour = epochAt(nowMs)
  }

  count(event: EventName): void {
    this.#events.push(event)
  }

  /**
   * Stops sending to an endpoint until it is enabled: immediately in this process, and in all other processes once the
   * hour changes.
   */
  gone({ id, timesEnabled }: Webhook): void {
    this.#gone.set(id, { timesEnabled, hour: this.#hour })
    this.count('webhook_disabled')
  }

  /** True if the endpoint answered 410 and wasn't enabled since then. */
  isGone({ id, timesEnabled }: Webhook): boolean {
    return this.#gone.get(id)?.timesEnabled === timesEnabled
  }

  /**
   * Publishes the withheld data once the hour has changed. If an endpoint can't be disabled now, the next call tries
   * again.
   */
  async turn({ webhooks, log }: Told, nowMs: number): Promise<void> {
    const hour = epochAt(nowMs)
    if (hour !== this.#hour) {
      this.#hour = hour
      for (const name of this.#events.splice(0).sort()) log.event(name)
    }
    for (const [id, gone] of [...this.#gone]) {
      if (gone.hour === hour) continue
      try {
        await webhooks.disable({ id, timesEnabled: gone.timesEnabled }, hour * EPOCH_MS)
        if (this.#gone.get(id) === gone) this.#gone.delete(id)
      } catch (error) {
        log.failed('webhook', error)
      }
    }
  }
}
