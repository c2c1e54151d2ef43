import { isTopUpEpoch } from '../../../domain/epoch.ts'
import { encodeOrderEvent } from '../../../domain/order-event.ts'
import type { EndedPoll } from '../../../ports/outbox-store.ts'
import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import { hexOf } from '../../../domain/hex.ts'
import type { Sql } from '../sql.ts'
import { maySeal, NOTHING, readLivingKeys } from './open-event.ts'

const KEEP = `UPDATE outbox
  SET sealed = CASE given.sealed WHEN '' THEN outbox.sealed ELSE decode(given.sealed, 'hex') END
  FROM unnest($1::text[], $2::int[], $3::text[]) AS given (name, polls, sealed)
  WHERE outbox.name = decode(given.name, 'hex') AND outbox.polls = given.polls`

/** Seals the polled rows again. One statement writes all rows, so they are written at the same time. */
export async function keepPolls(
  sql: Sql,
  secrets: Pick<Secrets, 'read' | 'list'>,
  polls: readonly EndedPoll[],
): Promise<void> {
  const { keys } = await readLivingKeys(secrets)
  const sealed = polls.map((poll) => reseal(poll, keys))
  await sql.query(KEEP, [polls.map(({ name }) => name), polls.map(({ count }) => count), sealed])
}

/** Returns the new seal in hex; empty if the row can't be sealed again. Such a row stays unchanged. */
function reseal({ name, hour, held, sends }: EndedPoll, keys: readonly EpochSecrets[]): string {
  if (held === 'locked') return ''
  const at = new Uint8Array(Buffer.from(name, 'hex'))
  const own = held === 'lost' ? undefined : keys.find(({ epoch }) => epoch === held.epoch)
  if (held !== 'lost' && own !== undefined) {
    const event = { ...held.event, sends: sends ?? held.event.sends }
    return hexOf(own.seal(at, 'event', encodeOrderEvent(event)))
  }
  // An unchanged row would reveal that its order's key is destroyed. So an empty content, sealed under another key,
  // replaces the row's content. If no key is left, all rows stay unchanged, so they look alike.
  const other = lastingKey(keys, hour)
  return other === undefined ? '' : hexOf(other.seal(at, 'event', NOTHING))
}

/**
 * Chooses the key that seals the empty content of a row. It is the newest key that may have sealed a row of this hour,
 * because the next poll tries this key early. Keys of top-ups are preferred, because they exist for weeks. With another
 * key, each poll might try nearly all keys.
 */
function lastingKey(keys: readonly EpochSecrets[], hour: number): EpochSecrets | undefined {
  const possible = keys.filter((key) => maySeal(key, hour))
  return possible.find(({ epoch }) => isTopUpEpoch(epoch)) ?? possible[0] ?? keys[0]
}
