import { livesLikeBalance } from '../../../domain/balance.ts'
import { epochStartMs, isTopUpEpoch } from '../../../domain/epoch.ts'
import { hexOf } from '../../../domain/hex.ts'
import { isFinal } from '../../../domain/order-state.ts'
import type { EpochSecrets } from '../../../ports/secrets.ts'
import { bytesOf } from '../column-values.ts'
import type { Sql } from '../sql.ts'
import { findKey, type PseudonymSecrets } from './pseudonym.ts'
import type { SettlementRow } from './read-settlements.ts'

/**
 * The plans that replace an order's first plan. The first plan is in the order's own row. Each later plan is a new row
 * in `plans`, which changes only once: `forgetReplaced` empties it. If each new plan changed the same row, the row
 * would link these plans to each other. Copies of the database would then show which payments were made out of the same
 * balance.
 *
 * The unique name makes each replacement a compare-and-set. Of several writers that have read the same plan, only one
 * can add the next plan. A writer that ends an order, or moves it to another key, adds an empty plan. So no other
 * writer can add a plan afterwards.
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

/** Returns the result of `write`; false if another writer has already replaced the plan. */
export async function unlessReplaced(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof PlanReplacedError) return false
    throw error
  }
}

/**
 * Returns the name of a plan: HMAC(K, order id and the plan's number as four bytes). Numbers begin at 1. The names of
 * messages and orders are HMACs of inputs with other lengths, so no two names are equal.
 */
export function planName({ orderId, key }: PlannedOrder, number: number): string {
  const bytes = new Uint8Array(orderId.length + 4)
  bytes.set(orderId)
  new DataView(bytes.buffer).setUint32(orderId.length, number)
  return hexOf(key.pseudonym(bytes))
}

/**
 * Number of names that the first query tries for each order. Each further query tries four times as many names, up to
 * `WIDTH_MAX`.
 */
const FIRST_WIDTH = 2
const WIDTH_MAX = 128

interface Replaced {
  /** The number of the newest plan; 0 if the first plan was never replaced. */
  readonly number: number
  /** The newest plan; undefined if the first plan was never replaced. */
  readonly sealed: Uint8Array | undefined
}

/** Maximum number of remembered numbers. Each takes about a hundred bytes. */
const KNOWN_MAX = 200_000

/** For each database, the number of the newest known plan of orders. */
const knownNumbers = new WeakMap<Sql, Map<string, number>>()

function knownOf(sql: Sql): Map<string, number> {
  const known = knownNumbers.get(sql) ?? new Map<string, number>()
  knownNumbers.set(sql, known)
  return known
}

/** Under another key, the numbers of an order's plans start again at 1. */
const keyOf = ({ orderId, key }: PlannedOrder): string => `${hexOf(orderId)} ${key.epoch}`

function remember(known: Map<string, number>, order: PlannedOrder, number: number): void {
  if (number === 0) return
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(keyOf(order), number)
}

/** Reads the newest plan of each order from `plans`. The results are in the sequence of the orders. */
export async function readReplaced(
  sql: Sql,
  orders: readonly PlannedOrder[],
): Promise<readonly Replaced[]> {
  const results: Replaced[] = orders.map(() => ({ number: 0, sealed: undefined }))
  const known = knownOf(sql)
  // The search starts at the last known plan, because a balance may have thousands of plans.
  let open = orders.map((order, place) => {
    const before = Math.max(0, (known.get(keyOf(order)) ?? 0) - 1)
    return { order, place, before, isKnown: before > 0 }
  })
  let width = FIRST_WIDTH
  while (open.length > 0) {
    const tried = open.map(({ order, place, before, isKnown }) => ({
      ...{ order, place, before, isKnown },
      names: Array.from({ length: width }, (_, index) => planName(order, before + 1 + index)),
    }))
    const found = await readNamed(
      sql,
      tried.flatMap(({ names }) => names),
    )
    open = tried.flatMap(({ order, place, before, isKnown, names }) => {
      const missing = names.findIndex((name) => !found.has(name))
      const count = missing < 0 ? names.length : missing
      const sealed = found.get(names[count - 1] ?? '')
      if (sealed !== undefined) results[place] = { number: before + count, sealed }
      // An older copy of the database may lack the known plan.
      if (missing === 0 && isKnown) return [{ order, place, before: 0, isKnown: false }]
      if (missing < 0) return [{ order, place, before: before + names.length, isKnown: false }]
      remember(known, order, results[place]?.number ?? 0)
      return []
    })
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
export async function withKeys<Row extends { readonly id: Uint8Array; readonly epoch: number }>(
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

/** Maximum number of names in one statement, so that no statement reaches its time limit. */
const NAMES_MAX = 20_000

/** Splits names into parts, one part for each statement. */
export const partsOf = (names: readonly string[]): (readonly string[])[] =>
  Array.from({ length: Math.ceil(names.length / NAMES_MAX) }, (_, part) =>
    names.slice(part * NAMES_MAX, (part + 1) * NAMES_MAX),
  )

async function readNamed(sql: Sql, names: readonly string[]): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>()
  for (const part of partsOf(names)) {
    const rows = await sql.query<{ readonly name: string; readonly sealed: Uint8Array }>(
      `SELECT encode(name, 'hex') AS name, sealed FROM plans
       WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
      [part],
    )
    for (const { name, sealed } of rows) found.set(name, bytesOf(sealed))
  }
  return found
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
 * not read keys, so the plan is prepared before the transaction.
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

/** The parameters `$1` to `$3` of `addPlanIf`. */
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

interface Sealed {
  readonly epoch: number
  /** Null for a payment, like `expiry`. */
  readonly deadline: string | null
  readonly expiry: string | null
}

/**
 * True if the first plan of an order may have been replaced. Payments replace the plans of balances. A balance's order
 * is sealed under a key of top-ups. If the order was made before such keys existed, only its long life shows that it
 * belongs to a balance. All other replacements need a lease, and an order with a lease has a row in `settlements`.
 */
export function mayBeReplaced(
  { epoch, deadline, expiry }: Sealed,
  side: Pick<SettlementRow, 'status'> | undefined,
): boolean {
  if (isTopUpEpoch(epoch)) return true
  const isKnown = expiry !== null && deadline !== null
  if (isKnown && livesLikeBalance({ deadline: BigInt(deadline), expiry: BigInt(expiry) }))
    return true
  return side !== undefined && side.status !== 'moved' && !isFinal(side.status)
}
