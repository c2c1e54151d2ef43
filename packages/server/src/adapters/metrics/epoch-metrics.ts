import { Gauge, type Registry } from 'prom-client'
import { EPOCH_MS } from '../../domain/epoch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'

/** Time for which the list is kept. Keys change only once an hour, and a remote keystore answers slowly. */
const KEPT_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Registers the number of hourly keys and the age of the oldest. While a key exists, the deposits and deliveries of its
 * orders can be linked.
 */
export function epochMetrics(
  registry: Registry,
  secrets: Pick<Secrets, 'list'>,
  clock: Clock,
): void {
  const keys = new SharedAnswer(() => secrets.list().catch(() => undefined), clock)
  const gauge = (name: string, help: string, valueOf: (epochs: readonly number[]) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const epochs = await keys.read(KEPT_MS)
        if (epochs === undefined) this.remove()
        else this.set(valueOf(epochs))
      },
    })
  gauge('sotto_epoch_keys', 'Hourly keys that are not destroyed yet.', ({ length }) => length)
  gauge(
    'sotto_oldest_epoch_key_hours',
    'Whole hours since the hour of the oldest key began; 0 if there is none.',
    ([oldest]) =>
      oldest === undefined ? 0 : Math.floor((clock.nowMs() - oldest * EPOCH_MS) / HOUR_MS),
  )
}
