import { BALANCE_SECONDS_MIN } from '../../../domain/balance.ts'
import { epochStartMs, isTopUpEpoch, topUpEpochOf } from '../../../domain/epoch.ts'
import { hexOf } from '../../../domain/hex.ts'
import { isFinal } from '../../../domain/order-state.ts'
import type { EpochSecrets } from '../../../ports/secrets.ts'
import { bytesOf } from '../column-values.ts'
import type { Sql } from '../sql.ts'
import { findKey, type PseudonymSecrets } from './pseudonym.ts'
import type { SettlementRow } from './read-settlements.ts'

/**
 * The plans that replace an order's first plan. The first plan is in the order's own row. Each later plan is a new row
 * in `plans`, which changes only once: `forgetReplaced` empties it. A row that changed would link all changes to each other: copies of the database
 * would show which payments were made out of the same balance.
 *
 * The unique name makes each replacement a compare-and-set. Of several writers that have read the same plan, only one
 * can add the next plan. A writer that ends an order, or moves it to another key, adds an empty plan. So no other
 * writer can add a plan after that.
 */

/** An order, and the key that seals it now. */
export interface PlannedOrder {
  readonly orderId: Uint8Array
  readonly key: EpochSecrets
}

/** A plan that replaces the newest plan of an order. */
export interface NextPlan {
  /** The name of the row, in hex. */
  readonly name: string
  /** Empty if no plan may follow. */
  readonly sealed: Uint8Array
  /** The epoch whose key computed the name. */
  readonly epoch: number
}

/** Thrown in a transaction to roll it back, because another writer has replaced an order's plan. */
export class PlanReplacedError extends Error {}

/** Returns the result of `write`; false if another writer was faster. */
export async function unlessReplaced(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof PlanReplacedError) return false
    throw error
  }
}

/**
 * Returns the name of a plan: HMAC(K, order id and the plan's number as four bytes). Numbers begin at 1. Messages and
 * orders have names of other lengths before the HMAC, so no two names are equal.
 */
function planName({ orderId, key }: PlannedOrder, number: number): string {
  const bytes = new Uint8Array(orderId.length + 4)
  bytes.set(orderId)
  new DataView(bytes.buffer).setUint32(orderId.length, number)
  return hexOf(key.pseudonym(bytes))
}

/** Number of names that the first query tries for each order. Each further query tries four times as many. */
const FIRST_WIDTH = 2
const WIDTH_MAX = 128

interface Replaced {
  /** The number of the newest plan; 0 if the first plan was never replaced. */
  readonly number: number
  /** The newest plan; undefined if the first plan was never replaced. */
  readonly sealed: Uint8Array | undefined
}

/** Reads the newest plan of each order from `plans`. The results are in the sequence of the orders. */
export async function readReplaced(
  sql: Sql,
  orders: readonly PlannedOrder[],
): Promise<readonly Replaced[]> {
  const results: Replaced[] = orders.map(() => ({ number: 0, sealed: undefined }))
  let open = orders.map((order, place) => ({ order, place }))
  let width = FIRST_WIDTH
  let before = 0
  while (open.length > 0) {
    const tried = open.map(({ order, place }) => ({
      ...{ order, place },
      names: Array.from({ length: width }, (_, index) => planName(order, before + 1 + index)),
    }))
    const found = await readNamed(
      sql,
      tried.flatMap(({ names }) => names),
    )
    open = tried.flatMap(({ order, place, names }) => {
      const missing = names.findIndex((name) => !found.has(name))
      const count = missing < 0 ? names.length : missing
      const sealed = found.get(names[count - 1] ?? '')
      if (sealed !== undefined) results[place] = { number: before + count, sealed }
      return missing < 0 ? [{ order, place }] : []
    })
    before += width
    width = Math.min(4 * width, WIDTH_MAX)
  }
  return results
}

/** Reads the newest plans of those orders whose first plan was replaced. */
export async function replacedPlans<
  Row extends { readonly id: Uint8Array; readonly epoch: number },
>(sql: Sql, secrets: PseudonymSecrets, rows: readonly Row[]): Promise<Map<Row, Uint8Array>> {
  const planned = await withKeys(secrets, rows)
  const replaced = await readReplaced(sql, planned)
  return new Map(
    planned.flatMap(({ row }, place) => {
      const sealed = replaced[place]?.sealed
      return sealed === undefined ? [] : [[row, sealed] as const]
    }),
  )
}

/** Adds the keys to orders. Reads each key once, and leaves out orders whose key can't be read. */
async function withKeys<Row extends { readonly id: Uint8Array; readonly epoch: number }>(
  secrets: PseudonymSecrets,
  rows: readonly Row[],
) {
  const keys = new Map<number, EpochSecrets | undefined>()
  for (const { epoch } of rows) {
    if (!keys.has(epoch)) keys.set(epoch, await findKey(secrets, epoch))
  }
  return rows.flatMap((row) => {
    const key = keys.get(row.epoch)
    return key === undefined ? [] : [{ row, orderId: bytesOf(row.id), key }]
  })
}

async function readNamed(sql: Sql, names: readonly string[]): Promise<Map<string, Uint8Array>> {
  const rows = await sql.query<{ readonly name: string; readonly sealed: Uint8Array }>(
    `SELECT encode(name, 'hex') AS name, sealed FROM plans
     WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
    [names],
  )
  return new Map(rows.map(({ name, sealed }) => [name, bytesOf(sealed)]))
}

/** Returns the newest plan of one order, and its number. Returns undefined if the order doesn't exist. */
export async function readNewestPlan(
  sql: Sql,
  order: PlannedOrder,
): Promise<{ readonly number: number; readonly sealed: Uint8Array } | undefined> {
  const [newest] = await readReplaced(sql, [order])
  if (newest?.sealed !== undefined) return { number: newest.number, sealed: newest.sealed }
  // Before `plans` existed, a replaced plan was written to the order's row in `settlements`.
  const [row] = await sql.query<{ readonly plan: Uint8Array | null }>(
    `SELECT COALESCE((SELECT sealed_plan FROM settlements WHERE pseudonym = decode($2, 'hex')),
                     orders.sealed_plan) AS plan
     FROM orders WHERE id = decode($1, 'hex')`,
    [hexOf(order.orderId), hexOf(order.key.pseudonym(order.orderId))],
  )
  return row && { number: 0, sealed: bytesOf(row.plan ?? new Uint8Array(0)) }
}

/**
 * Prepares a plan that replaces `read`. Returns undefined if `read` isn't the newest plan any more. A transaction must
 * not read keys, so this happens before the transaction.
 */
export async function nextPlan(
  sql: Sql,
  order: PlannedOrder,
  read: Uint8Array,
  sealed: Uint8Array = new Uint8Array(0),
): Promise<NextPlan | undefined> {
  const newest = await readNewestPlan(sql, order)
  if (newest === undefined || Buffer.compare(newest.sealed, read) !== 0) return undefined
  return { name: planName(order, newest.number + 1), sealed, epoch: order.key.epoch }
}

/** Parameters of `ADD_PLAN`, from `$1` on. */
export const planParameters = ({ name, sealed, epoch }: NextPlan): readonly unknown[] => [
  ...[name, hexOf(sealed), new Date(epochStartMs(epoch))],
]

/** SQL that adds a plan if `condition` is true, and if no other writer has added a plan with this number. */
export const addPlanIf = (condition: string): string => `INSERT INTO plans (name, sealed, hour)
  SELECT decode($1, 'hex'), decode($2, 'hex'),
         GREATEST($3::timestamptz, date_trunc('hour', to_timestamp(unix_seconds), 'UTC'))
  FROM chain_cursor WHERE ${condition}
  ON CONFLICT (name) DO NOTHING RETURNING 1`

/** Adds a plan in a transaction. @throws PlanReplacedError if another writer has added a plan with this number. */
export async function addPlan(sql: Sql, plan: NextPlan): Promise<void> {
  const rows = await sql.query(addPlanIf('true'), planParameters(plan))
  if (rows.length === 0) throw new PlanReplacedError('another writer has replaced the plan')
}

/** Maximum number of balances whose plans are read at the same time, to limit memory. */
const FORGET_AT_ONCE = 500

/**
 * Empties the plans of balances that were replaced before the present day of the chain's clock. With a plan and the
 * balance's key, anyone could find the payment that made the plan's note, and this key exists for weeks. The rows
 * themselves stay, because the newest plan is found by counting them. All plans that were replaced on a day are emptied
 * at the same time. So copies of the database show only that their balances paid again on that day.
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
  if (replaced.length === 0) return
  await sql.query(
    `UPDATE plans SET sealed = ''::bytea
     WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
    [replaced],
  )
}

/** Returns the plans that aren't empty yet and whose successor was added before the present day. */
async function listForgettable(sql: Sql, names: readonly (readonly string[])[]): Promise<string[]> {
  const rows = await sql.query<Record<'name', string> & Record<'is_past' | 'is_empty', boolean>>(
    `SELECT encode(name, 'hex') AS name, octet_length(sealed) = 0 AS is_empty,
            hour < date_trunc('day', to_timestamp(unix_seconds), 'UTC') AS is_past
     FROM plans, chain_cursor
     WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
    [names.flat()],
  )
  const rowOf = new Map(rows.map((row) => [row.name, row]))
  return names.flatMap((ofOrder) =>
    ofOrder.filter((name, index) => {
      const next = rowOf.get(ofOrder[index + 1] ?? '')
      return next?.is_past === true && rowOf.get(name)?.is_empty === false
    }),
  )
}

interface Sealed {
  readonly epoch: number
  /** Null for a payment, like `expiry`. */
  readonly deadline: string | null
  readonly expiry: string | null
}

/**
 * True if the first plan of an order may have been replaced. Payments replace the plan of a balance: such an order is
 * sealed under a key of top-ups, or was made before these keys existed and lives long. All other replacements need a
 * lease, and an order with a lease has a row in `settlements`.
 */
export function mayBeReplaced(
  { epoch, deadline, expiry }: Sealed,
  side: Pick<SettlementRow, 'status'> | undefined,
): boolean {
  if (isTopUpEpoch(epoch)) return true
  const life = expiry === null || deadline === null ? 0n : BigInt(expiry) - BigInt(deadline)
  if (life >= BigInt(BALANCE_SECONDS_MIN)) return true
  return side !== undefined && side.status !== 'moved' && !isFinal(side.status)
}
