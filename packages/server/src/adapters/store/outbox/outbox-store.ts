import { LEASES_AHEAD } from '../../../domain/lease.ts'
import { encodeOrderEvent, TOLD_SEQUENCES } from '../../../domain/order-event.ts'
import { PAUSE_MAX_MS } from '../../../domain/webhook-retries.ts'
import type { OutboxStore } from '../../../ports/outbox-store.ts'
import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import { hexOf } from '../settlement/column-values.ts'
import { tryReadKey } from '../settlement/pseudonym.ts'
import type { Sql } from '../sql.ts'
import { eventName } from './new-event.ts'
import { openEvent, readLivingKeys, tryOpenEvent, type EventRow } from './open-event.ts'

// A lease or a time that a jumped clock has written far ahead binds nobody.
const CLAIM = `UPDATE outbox SET lease_until = $2, fence = fence + 1
  WHERE name IN (
    SELECT name FROM outbox
    WHERE due_at IS NOT NULL AND (due_at <= $1 OR due_at > $3)
      AND (lease_until IS NULL OR lease_until <= $1 OR lease_until > $4)
    ORDER BY due_at DESC LIMIT $5 FOR UPDATE SKIP LOCKED)
  RETURNING name, sealed, fence`

type OutboxSecrets = Pick<Secrets, 'read' | 'list'>

/** The outbox in SQL. The secrets name and open what is in it. */
export function sqlOutboxStore(sql: Sql, secrets: OutboxSecrets): OutboxStore {
  return {
    claimDue: async (nowMs, leaseMs, limit) => {
      const rows = await sql.query<EventRow>(CLAIM, [
        new Date(nowMs),
        new Date(nowMs + leaseMs),
        new Date(nowMs + PAUSE_MAX_MS),
        new Date(nowMs + LEASES_AHEAD * leaseMs),
        limit,
      ])
      if (rows.length === 0) return []
      const { keys, areAll } = await readLivingKeys(secrets)
      const opened = rows.map((row) => ({ row, stored: tryOpenEvent(keys, row) }))
      const lost = opened.filter(({ stored }) => stored === undefined).map(({ row }) => row.name)
      // While a key can't be read, its rows only wait for the end of their lease.
      if (areAll && lost.length > 0) await giveUp(sql, lost)
      return opened.flatMap(({ stored }) => stored ?? [])
    },
    tryKeep: async ({ event, name, epoch, fence }, sends, dueAtMs) => {
      const key = await secrets.read(epoch)
      if (key === undefined) return false
      const bytes = new Uint8Array(Buffer.from(name, 'hex'))
      const sealed = key.seal(bytes, 'event', encodeOrderEvent({ ...event, sends }))
      const rows = await sql.query(
        `UPDATE outbox SET sealed = decode($3, 'hex'), due_at = $4, lease_until = NULL,
           fence = fence + 1
         WHERE name = decode($1, 'hex') AND fence = $2 RETURNING fence`,
        [name, fence.toString(), hexOf(sealed), dueAtMs === undefined ? null : new Date(dueAtMs)],
      )
      return rows.length === 1
    },
    namesOf: async ({ id, epoch }) => {
      const key = await tryReadKey(secrets, epoch)
      return key === undefined ? [] : TOLD_SEQUENCES.map((one) => hexOf(eventName(key, id, one)))
    },
    read: async (orders) => {
      const keys = new Map<string, EpochSecrets>()
      for (const { id, epoch } of orders) {
        const key = await tryReadKey(secrets, epoch)
        if (key === undefined) continue
        const latestFirst = [...TOLD_SEQUENCES].reverse()
        for (const one of latestFirst) keys.set(hexOf(eventName(key, id, one)), key)
      }
      if (keys.size === 0) return []
      const rows = await sql.query<EventRow>(
        `SELECT name, sealed, fence FROM outbox
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

async function giveUp(sql: Sql, names: readonly Uint8Array[]): Promise<void> {
  await sql.query(
    `UPDATE outbox SET due_at = NULL, lease_until = NULL
     WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
    [names.map(hexOf)],
  )
}
