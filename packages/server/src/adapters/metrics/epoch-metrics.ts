import { Gauge, type Registry } from 'prom-client'
import { epochStartMs, isTopUpEpoch } from '../../domain/epoch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { RecentAnswer } from '../../running/recent-answer.ts'

/**
 * Keys change only once an hour. A remote keystore answers slowly, so a scrape of the metrics waits only briefly for
 * the keystore's answer.
 */
const LIMITS = { keptMs: 60_000, waitMs: 2_000, shownMs: 600_000 }
const HOUR_MS = 3_600_000

/**
 * Registers the number of hourly keys, the age of the oldest key, and the age of the oldest key of transfers. While a
 * key exists, the deposits and deliveries of its orders can be linked. The keys of transfers are destroyed within days.
 * A key of top-ups is kept until the last of its balances has ended, for up to 35 days. The third metric excludes keys
 * of top-ups, so it shows a key of transfers that is too old.
 */
export function epochMetrics(
  registry: Registry,
  secrets: Pick<Secrets, 'list'>,
  clock: Clock,
): void {
  const keys = new RecentAnswer(() => secrets.list(), clock, LIMITS)
  const gauge = (name: string, help: string, valueOf: (keys: readonly number[]) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const known = await keys.read()
        if (known === undefined) this.remove()
        else this.set(valueOf(known))
      },
    })
  const hoursOf = (epochs: readonly number[]) =>
    epochs.length === 0
      ? 0
      : Math.floor((clock.nowMs() - Math.min(...epochs.map(epochStartMs))) / HOUR_MS)
  gauge('sotto_epoch_keys', 'Hourly keys that are not destroyed yet.', ({ length }) => length)
  gauge(
    'sotto_oldest_epoch_key_hours',
    'Whole hours since the hour of the oldest key began; 0 if there is none. A key of top-ups may be 35 days old.',
    hoursOf,
  )
  gauge(
    'sotto_oldest_transfer_key_hours',
    'Whole hours since the hour of the oldest key of transfers began; 0 if there is none.',
    (all) => hoursOf(all.filter((epoch) => !isTopUpEpoch(epoch))),
  )
}
