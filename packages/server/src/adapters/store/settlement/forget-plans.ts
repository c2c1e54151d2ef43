import { topUpEpochOf } from '../../../domain/epoch.ts'
import type { Sql } from '../sql.ts'
import { partsOf, planName, readReplaced, withKeys } from './plans.ts'
import type { PseudonymSecrets } from './pseudonym.ts'

/** Maximum number of balances whose plans are read at the same time, to limit memory. */
const FORGET_AT_ONCE = 500

/**
 * Empties each plan of a balance that a newer plan replaced before the present day of the chain's clock. With a plan
 * and the balance's key, anyone could find the payment that made the plan's note, and this key exists for weeks. The
 * rows themselves stay, because the newest plan is found by counting them. All plans that were replaced on a day are
 * emptied at the same time. So copies of the database show only that their balances paid again on that day.
 */
export async function forgetReplaced(sql: Sql, secrets: PseudonymSecrets): Promise<void> {
  const balances = await sql.query<{ readonly id: Uint8Array; readonly epoch: number }>(
    `SELECT id, COALESCE(seal_epoch, epoch)::integer AS epoch FROM orders
     WHERE status = 'deposited' AND COALESCE(seal_epoch, epoch) >= $1`,
    [topUpEpochOf(0)],
  )
  const replaced: string[] = []
  for (let from = 0; from < balances.length; from += FORGET_AT_ONCE) {
    const some = balances.slice(from, from + FORGET_AT_ONCE)
    const planned = await withKeys(secrets, some)
    const newest = await readReplaced(sql, planned)
    const names = planned.map((order, place) =>
      Array.from({ length: newest[place]?.number ?? 0 }, (_, index) => planName(order, index + 1)),
    )
    replaced.push(...(await listForgettable(sql, names)))
  }
  for (const part of partsOf(replaced)) {
    await sql.query(
      `UPDATE plans SET sealed = ''::bytea
       WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
      [part],
    )
  }
}

/** Returns the plans that aren't empty yet and whose successor was added before the present day. */
async function listForgettable(sql: Sql, names: readonly (readonly string[])[]): Promise<string[]> {
  type Row = Record<'name', string> & Record<'is_past' | 'is_empty', boolean>
  const rowOf = new Map<string, Row>()
  for (const part of partsOf(names.flat())) {
    const rows = await sql.query<Row>(
      `SELECT encode(name, 'hex') AS name, octet_length(sealed) = 0 AS is_empty,
              hour < date_trunc('day', to_timestamp(unix_seconds), 'UTC') AS is_past
       FROM plans, chain_cursor
       WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
      [part],
    )
    for (const row of rows) rowOf.set(row.name, row)
  }
  return names.flatMap((ofOrder) =>
    ofOrder.filter((name, index) => {
      const next = rowOf.get(ofOrder[index + 1] ?? '')
      return next?.is_past === true && rowOf.get(name)?.is_empty === false
    }),
  )
}
