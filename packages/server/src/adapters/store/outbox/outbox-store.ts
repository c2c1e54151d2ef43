import { epochAt } from '../../../domain/epoch.ts'
import { SENT_SEQUENCES } from '../../../domain/order-event.ts'
import { JITTER_DIVISOR, PAUSE_MAX_MS, PAUSES_MS } from '../../../domain/webhook-retries.ts'
import type { DeliveryPoll, OutboxStore } from '../../../ports/outbox-store.ts'
import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import { atEndOfTurn } from '../../clock/end-of-turn.ts'
import { hexOf } from '../../../domain/hex.ts'
import { findKey } from '../settlement/pseudonym.ts'
import type { Sql } from '../sql.ts'
import { keepPolls } from './keep-polls.ts'
import { eventName } from './new-event.ts'
import {
  openEvent,
  openPolled,
  readLivingKeys,
  type EventRow,
  type PolledRow,
} from './open-event.ts'

// After the last pause, `due_at` becomes NULL. If `due_at` is far in the future, it was written by a clock that had
// jumped ahead, and the row is due now.
const CLAIM = `UPDATE outbox SET polls = polls + 1,
    due_at = $1::timestamptz + interval '1 millisecond'
      * floor(($3::float8[])[polls + 1] * (1 + get_byte(name, 0) / ${JITTER_DIVISOR}::float8))
  WHERE name IN (
    SELECT name FROM outbox
    WHERE due_at IS NOT NULL AND (due_at <= $1 OR due_at > $2)
    ORDER BY due_at DESC LIMIT $4 FOR UPDATE SKIP LOCKED)
  RETURNING name, sealed, polls, due_at, hour`

type OutboxSecrets = Pick<Secrets, 'read' | 'list'>

/** The outbox in SQL. It needs the secrets to compute the names of rows and to open the rows. */
export function sqlOutboxStore(sql: Sql, secrets: OutboxSecrets): OutboxStore {
  return {
    claimDue: async (nowMs, limit) => {
      const now = new Date(nowMs)
      const latest = new Date(nowMs + PAUSE_MAX_MS)
      const rows = await sql.query<PolledRow>(CLAIM, [now, latest, PAUSES_MS, limit])
      if (rows.length === 0) return []
      const living = await readLivingKeys(secrets)
      const polls: DeliveryPoll[] = []
      for (const row of rows) {
        const hour = epochAt(row.hour.getTime())
        polls.push({ name: hexOf(row.name), count: row.polls, hour, held: openPolled(living, row) })
        // Trying all keys on a row may take some milliseconds. The worker's other work runs between two rows.
        await new Promise<void>((resolve) => atEndOfTurn(resolve))
      }
      return polls
    },
    keep: (polls) => keepPolls(sql, secrets, polls),
    namesOf: async ({ id, epoch }) => {
      const key = await findKey(secrets, epoch)
      return key === undefined ? [] : SENT_SEQUENCES.map((one) => hexOf(eventName(key, id, one)))
    },
    read: async (orders) => {
      const keys = new Map<string, EpochSecrets>()
      for (const { id, epoch, numbers } of orders) {
        const key = await findKey(secrets, epoch)
        if (key === undefined) continue
        const latestFirst = [...numbers].reverse()
        for (const one of latestFirst) keys.set(hexOf(eventName(key, id, one)), key)
      }
      if (keys.size === 0) return []
      const rows = await sql.query<EventRow>(
        `SELECT name, sealed, due_at FROM outbox
         WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
        [[...keys.keys()]],
      )
      const byName = new Map(rows.map((row) => [hexOf(row.name), row]))
      return [...keys].flatMap(([name, key]) => {
        const row = byName.get(name)
        return row === undefined ? [] : [openEvent(key, row)]
      })
    },
  }
}
