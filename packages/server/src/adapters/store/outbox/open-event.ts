import { decodeOrderEvent } from '../../../domain/order-event.ts'
import type { StoredEvent } from '../../../ports/outbox-store.ts'
import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import { bytesOf } from '../column-values.ts'
import { hourOfEpoch } from '../../../domain/epoch.ts'
import { hexOf } from '../../../domain/hex.ts'

export interface EventRow {
  readonly name: Uint8Array
  readonly sealed: Uint8Array
  readonly due_at: Date | null
}

/** Opens a row with the key that sealed it. @throws Error if another key sealed it. */
export function openEvent(key: EpochSecrets, { name, sealed, due_at }: EventRow): StoredEvent {
  const event = decodeOrderEvent(key.open(bytesOf(name), 'event', bytesOf(sealed)))
  return { event, name: hexOf(name), epoch: key.epoch, dueAtMs: due_at?.getTime() }
}

/** Keys to try on rows. A row doesn't record which key sealed it. */
export interface LivingKeys {
  /** The newest key is first, because most changes belong to recent orders. */
  readonly keys: readonly EpochSecrets[]
  /** True if every existing key is included. Then a row that no key opens was sealed with a destroyed key. */
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

/** Opens a row with the key that sealed it; undefined if that key isn't among `keys`. */
export function openEventByAny(
  keys: readonly EpochSecrets[],
  row: EventRow,
): StoredEvent | undefined {
  for (const key of keys) {
    try {
      return openEvent(key, row)
    } catch {
      // Another epoch's key sealed the row.
    }
  }
  return undefined
}
