import { isFinal, ORDER_STATUSES } from '../../../domain/order-state.ts'
import type { Database, Sql } from '../sql.ts'
import { bytesOf, hexOf } from './column-values.ts'
import type { PseudonymSecrets } from './pseudonym.ts'
import { readSettlements } from './read-settlements.ts'

/**
 * Clears everything sealed under an epoch and what only its key gave a meaning. Its orders get their
 * final status and one final hour for all, and are written anew in the order of their ids, which are
 * random: all of one transaction, whenever each was delivered. The delivery's side isn't touched, or
 * what vanishes from it at this moment would show which deliveries were of this epoch.
 */
export async function clearEpoch(
  database: Database,
  secrets: PseudonymSecrets,
  epoch: number,
): Promise<void> {
  const names = await namesOf(database, secrets, epoch)
  await database.transaction(async (sql) => {
    await lockEpochs(sql)
    await sql.query(`CREATE TEMPORARY TABLE cleared (LIKE orders) ON COMMIT DROP`, [])
    await sql.query(
      // Whoever changes one of these rows meanwhile would change what is about to be deleted.
      `INSERT INTO cleared SELECT * FROM orders WHERE epoch = $1 OR seal_epoch = $1 FOR UPDATE`,
      [epoch],
    )
    await writeEnds(sql, names, epoch)
    // The first answer was sealed under the order's own epoch, also where the rest was sealed anew.
    await sql.query(
      `UPDATE cleared SET sealed_response = ''::bytea, fingerprint = ''::bytea WHERE epoch = $1`,
      [epoch],
    )
    await sql.query(
      `UPDATE cleared SET sealed_terms = ''::bytea, sealed_plan = NULL
       WHERE COALESCE(seal_epoch, epoch) = $1`,
      [epoch],
    )
    await sql.query('DELETE FROM orders WHERE id IN (SELECT id FROM cleared)', [])
    await sql.query('INSERT INTO orders SELECT * FROM cleared ORDER BY id', [])
  })
}

/**
 * Lets only one transaction at a time clear an epoch or seal an order anew: of an order that moves from
 * one epoch to another, clearing either would write back what it was before.
 */
export async function lockEpochs(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtext('clear epoch'))`, [])
}

/** An epoch's deposited orders, in hex, by their names on the other side; read before the transaction. */
async function namesOf(
  sql: Sql,
  secrets: PseudonymSecrets,
  epoch: number,
): Promise<Map<string, string>> {
  const rows = await sql.query<{ readonly id: Uint8Array }>(
    `SELECT id FROM orders WHERE status = 'deposited' AND COALESCE(seal_epoch, epoch) = $1`,
    [epoch],
  )
  if (rows.length === 0) return new Map()
  const key = await secrets.read(epoch)
  if (key === undefined) throw new Error('an epoch can only be cleared while its key lives')
  return new Map(rows.map(({ id }) => [hexOf(key.pseudonym(bytesOf(id))), hexOf(id)]))
}

async function writeEnds(
  sql: Sql,
  names: ReadonlyMap<string, string>,
  epoch: number,
): Promise<void> {
  const sides = await readSettlements(sql, [...names.keys()])
  const ended = [...sides.values()].filter(({ status }) => status !== 'moved' && isFinal(status))
  await sql.query(
    `UPDATE cleared SET status = given.status
     FROM unnest($1::text[], $2::text[]) AS given (id, status)
     WHERE cleared.id = decode(given.id, 'hex')`,
    [ended.map(({ pseudonym }) => names.get(pseudonym)), ended.map(({ status }) => status)],
  )
  // Also those that wait for a deposit, and those that came after the names were read.
  const open = await sql.query(
    `SELECT 1 FROM cleared
     WHERE COALESCE(seal_epoch, epoch) = $1 AND status <> ALL ($2::text[]) LIMIT 1`,
    [epoch, ORDER_STATUSES.filter(isFinal)],
  )
  if (open.length > 0) throw new Error("an epoch with open orders can't be cleared")
  const hours = ended.map(({ final_hour: hour }) => hour ?? new Date(0))
  await sql.query(
    `UPDATE cleared SET final_hour = latest.hour, updated_at = latest.hour
     FROM (SELECT max(hour) AS hour FROM (
             SELECT final_hour AS hour FROM cleared UNION ALL SELECT unnest($2::timestamptz[])
           ) AS hours) AS latest
     WHERE COALESCE(cleared.seal_epoch, cleared.epoch) = $1`,
    [epoch, hours],
  )
}
