import { decodeOrderEvent } from '../../../domain/order-event.ts'
import type { DeliveryPoll, StoredEvent } from '../../../ports/outbox-store.ts'
import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import { bytesOf } from '../column-values.ts'
import { epochAt, hourOfEpoch } from '../../../domain/epoch.ts'
import { hexOf } from '../../../domain/hex.ts'

export interface EventRow {
  readonly name: Uint8Array
  readonly sealed: Uint8Array
  readonly due_at: Date | null
}

/** A row that was sealed with an unknown key. */
export interface PolledRow extends EventRow {
  readonly polls: number
  readonly hour: Date
}

/** The empty content. It replaces the content of a row whose order's key is destroyed, and another key seals it. */
export const NOTHING = new Uint8Array(0)

const clearOf = (key: EpochSecrets, { name, sealed }: EventRow): Uint8Array =>
  key.open(bytesOf(name), 'event', bytesOf(sealed))

/** Opens a row with the key that sealed it. @throws Error if another key sealed it. */
export function openEvent(key: EpochSecrets, row: EventRow): StoredEvent {
  return storedOf(key, row, clearOf(key, row))
}

const storedOf = (
  key: EpochSecrets,
  { name, due_at }: EventRow,
  clear: Uint8Array,
): StoredEvent => ({
  ...{ event: decodeOrderEvent(clear), name: hexOf(name) },
  ...{ epoch: key.epoch, dueAtMs: due_at?.getTime() },
})

/** Keys to try on rows. A row doesn't record which key sealed it. */
export interface LivingKeys {
  /** The newest key is first, because most events belong to recent orders. */
  readonly keys: readonly EpochSecrets[]
  /** True if every existing key is included. In this case, a row that no key opens was sealed with a destroyed key. */
  readonly areAll: boolean
}

/** Reads all epoch keys that can be read now. */
export async function readLivingKeys(secrets: Pick<Secrets, 'read' | 'list'>): Promise<LivingKeys> {
  const keys: EpochSecrets[] = []
  let areAll = true
  const epochs = await secrets.list()
  for (const epoch of epochs.sort((left, right) => hourOfEpoch(right) - hourOfEpoch(left))) {
    try {
      const key = await secrets.read(epoch)
      if (key !== undefined) keys.push(key)
    } catch {
      // The key is damaged or unavailable now. The code that opens the orders of this epoch reports the error.
      areAll = false
    }
  }
  return { keys, areAll }
}

/** True if the key may have sealed a row of this hour, in hours since 1970. No key is newer than the rows it sealed. */
export const maySeal = ({ epoch }: EpochSecrets, hour: number): boolean =>
  hourOfEpoch(epoch) <= hour

/** Opens a row with the key that sealed it. There may be hundreds of keys, so no key is tried without need. */
export function openPolled({ keys, areAll }: LivingKeys, row: PolledRow): DeliveryPoll['held'] {
  const hour = epochAt(row.hour.getTime())
  for (const key of keys) {
    if (!maySeal(key, hour)) continue
    let clear: Uint8Array
    try {
      clear = clearOf(key, row)
    } catch {
      // Another epoch's key sealed the row.
      continue
    }
    return clear.length === 0 ? 'lost' : storedOf(key, row, clear)
  }
  return areAll ? 'lost' : 'locked'
}
