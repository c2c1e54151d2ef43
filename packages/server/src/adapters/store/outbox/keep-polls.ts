import { encodeOrderEvent } from '../../../domain/order-event.ts'
import type { EndedPoll } from '../../../ports/outbox-store.ts'
import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import { hexOf } from '../../../domain/hex.ts'
import type { Sql } from '../sql.ts'
import { readLivingKeys } from './open-event.ts'

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

const NOTHING = new Uint8Array(0)

/** Returns the new seal in hex; empty if the row can't be sealed again. Such a row stays unchanged. */
function reseal({ name, held, sends }: EndedPoll, keys: readonly EpochSecrets[]): string {
  if (held === 'locked') return ''
  const at = new Uint8Array(Buffer.from(name, 'hex'))
  const own = held === 'lost' ? undefined : keys.find(({ epoch }) => epoch === held.epoch)
  if (held !== 'lost' && own !== undefined) {
    const event = { ...held.event, sends: sends ?? held.event.sends }
    return hexOf(own.seal(at, 'event', encodeOrderEvent(event)))
  }
  // An unchanged row would reveal that its order's key is destroyed. So an empty content under another key replaces the
  // row's content. If no key is left, all rows stay unchanged, so they look alike.
  const [newest] = keys
  return newest === undefined ? '' : hexOf(newest.seal(at, 'event', NOTHING))
}
