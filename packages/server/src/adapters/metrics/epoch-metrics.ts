import { Gauge, type Registry } from 'prom-client'
import { EPOCH_MS } from '../../domain/epoch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'

/** Time for which the list of keys is cached. Keys change only once an hour, and a remote keystore answers slowly. */
const KEPT_MS = 60_000
const HOUR_MS = 3_600_000

interface Keys {
  readonly all: readonly number[]
  /** The epochs whose keys seal no balance. */
  readonly ofTransfers: readonly number[]
}

/**
 * Registers the number of hourly keys, the age of the oldest key, and the age of the oldest key that seals no balance.
 * While a key exists, the deposits and deliveries of its orders can be linked. Keys that seal only transfers are
 * destroyed within days. A key that also seals a balance is kept as long as the balance, up to 35 days. The third
 * metric excludes such keys, so that it shows when the key of a transfer is too old.
 *
 * @param readBalanceEpochs returns the epochs whose keys seal a balance.
 */
export function epochMetrics(
  registry: Registry,
  secrets: Pick<Secrets, 'list'>,
  readBalanceEpochs: () => Promise<ReadonlySet<number>>,
  clock: Clock,
): void {
  const read = async (): Promise<Keys> => {
    const all = await secrets.list()
    const ofBalances = await readBalanceEpochs()
    return { all, ofTransfers: all.filter((epoch) => !ofBalances.has(epoch)) }
  }
  const keys = new SharedAnswer(() => read().catch(() => undefined), clock)
  const gauge = (name: string, help: string, valueOf: (keys: Keys) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const known = await keys.read(KEPT_MS)
        if (known === undefined) this.remove()
        else this.set(valueOf(known))
      },
    })
  const hoursOf = ([oldest]: readonly number[]) =>
    oldest === undefined ? 0 : Math.floor((clock.nowMs() - oldest * EPOCH_MS) / HOUR_MS)
  gauge('sotto_epoch_keys', 'Hourly keys that are not destroyed yet.', ({ all }) => all.length)
  gauge(
    'sotto_oldest_epoch_key_hours',
    'Whole hours since the hour of the oldest key began; 0 if there is none. A key that seals a balance may be 35 days old.',
    ({ all }) => hoursOf(all),
  )
  gauge(
    'sotto_oldest_transfer_key_hours',
    'Whole hours since the hour of the oldest key that seals no balance began; 0 if there is none.',
    ({ ofTransfers }) => hoursOf(ofTransfers),
  )
}
