import type { UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { OrderStore } from '../../ports/order-store.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import { ServiceError } from '../service-error.ts'

/** A reservation of a live payment: the note that it spends, or the leaf of its change. */
export type Reserved =
  | { readonly kind: 'note'; readonly nullifier: bigint }
  | { readonly kind: 'change'; readonly leaf: bigint }

/**
 * The names under which a payment reserves its note or its change. One name uses the key of the payment's hour, and the
 * other name uses the key of the hour before. A payment is live for at most twenty minutes. So two live payments belong
 * to the same hour or to neighbouring hours, and their names overlap.
 */
export async function reservedNames(
  all: Pick<Secrets, 'read'>,
  secrets: EpochSecrets,
  reserved: Reserved,
): Promise<Uint8Array[]> {
  const text = reserved.kind === 'note' ? `note ${reserved.nullifier}` : `change ${reserved.leaf}`
  // If the previous hour has no key, no payment of that hour can be pending.
  const before = await all.read(secrets.epoch - 1)
  return [secrets, before].flatMap((key) => key?.fingerprint(text) ?? [])
}

/**
 * Minimum retry delay of NOTE_IN_USE, in seconds. A name is released within two minutes of its payment's end, once the
 * followed clock has certainly passed that end.
 */
export const IN_USE_SECONDS_MIN = 30

/**
 * The error for a payment whose note or change is reserved. The retry delay is the time until the other payment ends.
 * The other payment may land sooner, which spends the note or adds the change to the tree.
 */
export async function noteInUse(
  orders: Pick<OrderStore, 'readReservedUntil'>,
  names: readonly Uint8Array[],
  unixSeconds: UnixSeconds,
): Promise<ServiceError> {
  const until = (await orders.readReservedUntil(names)) ?? unixSeconds
  const seconds = until > unixSeconds ? wholeNumber(until - unixSeconds) : 0
  const retryAfterSeconds = Math.max(IN_USE_SECONDS_MIN, seconds + 1)
  return new ServiceError('NOTE_IN_USE', { retryAfterSeconds })
}
