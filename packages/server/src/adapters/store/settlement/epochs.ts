import { epochAt, epochStartMs, topUpEpochOf } from '../../../domain/epoch.ts'
import { isFinal, ORDER_STATUSES } from '../../../domain/order-state.ts'
import type { Database, Sql } from '../sql.ts'
import { bytesOf, hourOf, LATEST_HOUR } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import { type PseudonymSecrets, pseudonymOf } from './pseudonym.ts'
import { hexOfLeaf } from './leaves.ts'
import { addPlan, type NextPlan } from './plans.ts'
import { readSettlements } from './read-settlements.ts'
import type { ResealedOrder } from '../../../ports/settlement-store.ts'

/**
 * Clears everything that is sealed under an epoch, and everything that is useless without the epoch's key. The epoch's
 * orders get their final status and one common final hour. One transaction writes them again, in the order of their
 * random ids. So the positions of the rows don't show when each order was delivered. The rows in `settlements` stay,
 * because deleting them now would reveal which deliveries belong to this epoch.
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
      // The rows are locked. Otherwise a concurrent change to a row would be lost when the row is deleted.
      `INSERT INTO cleared SELECT * FROM orders WHERE epoch = $1 OR seal_epoch = $1 FOR UPDATE`,
      [epoch],
    )
    await writeEnds(sql, names, epoch)
    // The order's first response is sealed under the order's first epoch, even if the other data was sealed again under
    // a later epoch.
    await sql.query(
      `UPDATE cleared SET sealed_response = ''::bytea, fingerprint = ''::bytea, network = ''::bytea
       WHERE epoch = $1`,
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
 * Ensures that only one transaction at a time clears an epoch or moves an order to another epoch's key. Otherwise,
 * clearing an epoch could restore the old data of an order that is being moved.
 */
export async function lockEpochs(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtext('clear epoch'))`, [])
}

/**
 * Maps the pseudonyms of an epoch's deposited orders and signed payments to their ids, both in hex. A transaction must
 * not read keys, so the pseudonyms are computed before the transaction.
 */
async function namesOf(
  sql: Sql,
  secrets: PseudonymSecrets,
  epoch: number,
): Promise<Map<string, string>> {
  const rows = await sql.query<{ readonly id: Uint8Array }>(
    `SELECT id FROM orders
     WHERE status IN ('deposited', 'delivering') AND COALESCE(seal_epoch, epoch) = $1`,
    [epoch],
  )
  if (rows.length === 0) return new Map()
  const key = await secrets.read(epoch)
  if (key === undefined) throw new Error("an epoch can't be cleared after its key was destroyed")
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
  // This check also finds orders that await a deposit, and orders that were added after the pseudonyms were computed.
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

interface Row {
  readonly id: Uint8Array
  readonly final_hour: Date | null
}

/**
 * Reads the latest hour in which an order of an epoch became final, in milliseconds. Returns `open` if an order isn't
 * final, and `empty` if the epoch has no orders.
 */
export async function readEpochEnd(
  sql: Sql,
  secrets: PseudonymSecrets,
  epoch: number,
): Promise<number | 'open' | 'empty'> {
  const rows = await sql.query<Row>(
    'SELECT id, final_hour FROM orders WHERE COALESCE(seal_epoch, epoch) = $1',
    [epoch],
  )
  const ends: (number | undefined)[] = rows.flatMap(({ final_hour: hour }) => hour?.getTime() ?? [])
  const names: string[] = []
  for (const { id } of rows.filter((row) => row.final_hour === null)) {
    const name = await pseudonymOf(secrets, epoch, bytesOf(id))
    if (name === undefined) return 'open'
    names.push(name)
  }
  const sides = await readSettlements(sql, names)
  for (const name of names) {
    const side = sides.get(name)
    // A row with the status `moved` is the old row of an order that was moved to another epoch's key, so the order
    // isn't final. The next round finds its new row.
    ends.push(side?.status === 'moved' ? undefined : side?.final_hour?.getTime())
  }
  // An epoch may have more orders than a call may have arguments. So `reduce` is used instead of `Math.max`.
  return ends.reduce<number | 'open' | 'empty'>((latest, end) => {
    if (end === undefined || latest === 'open') return 'open'
    return latest === 'empty' || end > latest ? end : latest
  }, 'empty')
}

interface Move {
  /** The order's pseudonyms under the old and the new key, in hex. */
  readonly from: string
  readonly to: string
  /** An empty plan under the old key, so that no plan can follow under that key. */
  readonly lastPlan: NextPlan
}

/**
 * Moves an order without a live attempt to another epoch's key. Only this write and `tryExpireVanished` change both
 * rows of an order. A payment out of a balance replaces the plan without a lease, so the stored plan must still be the
 * plan that was read. Otherwise the balance would return to a spent note. The old row stays with the status `moved`, so
 * that workers with the old pseudonym see that the order has moved.
 *
 * @throws Error, with nothing written, if the order's status isn't `deposited`.
 */
export function tryReseal(
  database: Database,
  { from, to, lastPlan }: Move,
  orderId: Uint8Array,
  fence: bigint,
  resealed: ResealedOrder,
  nowMs: number,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    await lockEpochs(sql)
    const [side] = await sql.query<{ readonly status: string }>(
      `SELECT status FROM settlements
       WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2
         AND status IN ('deposited', 'delivering', 'refunding')
         AND NOT EXISTS (SELECT 1 FROM attempts
                         WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
       FOR UPDATE`,
      [from, fence.toString()],
    )
    if (side === undefined) return false
    await addPlan(sql, lastPlan)
    await sql.query(
      `UPDATE settlements SET status = 'moved', final_hour = ended.hour, sealed_plan = NULL,
         lease_owner = NULL, lease_until = NULL
       FROM (SELECT LEAST($2::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
       WHERE pseudonym = decode($1, 'hex')`,
      [from, hourOf(nowMs)],
    )
    // The new row's fence is greater than the old row's fence. So a lease on the old row can't be valid for the new
    // row.
    await sql.query(
      `INSERT INTO settlements (pseudonym, status, lease_fence) VALUES (decode($1, 'hex'), $2, $3)`,
      [to, side.status, (fence + 1n).toString()],
    )
    const moved = await sql.query(
      `UPDATE orders SET seal_epoch = $2, sealed_terms = decode($3, 'hex'),
         sealed_plan = decode($4, 'hex'), sealed_response = ''::bytea, fingerprint = ''::bytea
       WHERE id = decode($1, 'hex') AND status = 'deposited' RETURNING id`,
      [hexOf(orderId), resealed.epoch, hexOf(resealed.sealedTerms), hexOf(resealed.sealedPlan)],
    )
    // If no row was updated, the transaction must fail. If only one of the order's two rows moved, no worker would ever
    // find the order again.
    if (moved.length !== 1) throw new Error('the order to be resealed does not exist')
    return true
  })
}

/**
 * Deletes the rows in `settlements` of orders that became final before a time, with their attempts. Also deletes the
 * rows in `outbox` and `plans` from hours before that time. The caller computes this time from the keystore's list of
 * keys. In addition, while the database has an order whose epoch isn't cleared, no row of that epoch's hour or a later
 * hour is deleted. Without this rule, a keystore that isn't mounted, and therefore lists no keys, would cause a loss:
 * the newest note of each open balance would be deleted, because only `plans` has it.
 */
export async function dropSettled(sql: Sql, beforeMs: number): Promise<void> {
  const [oldest] = await sql.query<{ readonly epoch: number | null }>(OLDEST_UNCLEARED, [])
  const before = new Date(Math.min(beforeMs, epochStartMs(oldest?.epoch ?? epochAt(beforeMs))))
  await sql.query('DELETE FROM settlements WHERE final_hour < $1', [before])
  await sql.query('DELETE FROM outbox WHERE hour < $1', [before])
  await sql.query('DELETE FROM plans WHERE hour < $1', [before])
}

const OLDEST_UNCLEARED = `SELECT MIN(hour)::integer AS epoch FROM (
    SELECT COALESCE(seal_epoch, epoch) % ${topUpEpochOf(0)} AS hour FROM orders WHERE status = 'deposited'
    UNION ALL
    SELECT epoch % ${topUpEpochOf(0)} FROM orders WHERE status = 'delivering' AND final_hour IS NULL) AS uncleared`

/**
 * Records that the deposits that appended these leaves belong to no order. Such leaves no longer delay the destruction
 * of keys.
 */
export async function writeOff(sql: Sql, leaves: readonly bigint[]): Promise<void> {
  await sql.query(
    `INSERT INTO written_off (leaf)
     SELECT DISTINCT decode(leaf, 'hex') FROM unnest($1::text[]) AS given (leaf) ON CONFLICT DO NOTHING`,
    [leaves.map(hexOfLeaf)],
  )
}

/** Lists the epochs whose orders are all known. No more deposits for such an epoch can land. */
export async function listCompleteEpochs(sql: Sql): Promise<Set<number>> {
  const rows = await sql.query<{ readonly epoch: number }>(
    'SELECT epoch::integer AS epoch FROM complete_epochs',
    [],
  )
  return new Set(rows.map(({ epoch }) => epoch))
}

/** Replaces the list of epochs whose orders are all known. */
export async function writeCompleteEpochs(sql: Sql, epochs: readonly number[]): Promise<void> {
  await sql.query('DELETE FROM complete_epochs WHERE epoch <> ALL ($1::bigint[])', [epochs])
  await sql.query(
    'INSERT INTO complete_epochs (epoch) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING',
    [epochs],
  )
}
