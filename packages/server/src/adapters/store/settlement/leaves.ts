import { fieldToBytes, fieldFromBytes } from '@sotto/protocol'
import type { Sql } from '../sql.ts'
import { bytesOf } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'

/** Writes consecutive leaves. The first leaf gets the index `from`. */
export async function insertLeaves(
  sql: Sql,
  leaves: readonly bigint[],
  from: number,
): Promise<void> {
  if (leaves.length === 0) return
  await sql.query(
    `INSERT INTO leaves (leaf_index, leaf)
     SELECT $2::bigint + place - 1, decode(leaf, 'hex')
     FROM unnest($1::text[]) WITH ORDINALITY AS given (leaf, place)`,
    [leaves.map(hexOfLeaf), from],
  )
}

/** Returns a leaf's stored bytes, in hex. */
export const hexOfLeaf = (leaf: bigint): string => hexOf(fieldToBytes(leaf))

/**
 * Drops all leaves whose index is at least `from`. The orders of these leaves have no place in the tree until the
 * leaves are stored again. The orders keep their status: clients have already seen it, and a status never goes back.
 * Some of the orders may be settled already, but only their rows in `settlements` show the settlement.
 */
export async function dropLeaves(sql: Sql, from: number): Promise<void> {
  await sql.query('DELETE FROM leaves WHERE leaf_index >= $1', [from])
  await sql.query('DELETE FROM explained_leaves WHERE next_leaf > $1', [from])
  await sql.query('UPDATE orders SET leaf_index = NULL WHERE leaf_index >= $1', [from])
}

/**
 * Stores the new indexes of orders whose leaves were dropped. If a leaf appears twice, the order gets the first index.
 */
export async function placeOrders(sql: Sql, from: number): Promise<void> {
  await sql.query(
    `UPDATE orders SET leaf_index = found.leaf_index
     FROM (SELECT leaf, MIN(leaf_index) AS leaf_index FROM leaves
           WHERE leaf_index >= $1 GROUP BY leaf) AS found
     WHERE found.leaf = orders.leaf AND orders.leaf_index IS NULL
       AND orders.status <> ALL ($2::text[])`,
    [from, NEVER_DEPOSITED],
  )
}

/**
 * Statuses of orders that `placeOrders` must skip. An order that awaits a deposit gets its index when the step marks it
 * as deposited. An expired order has no deposit.
 */
const NEVER_DEPOSITED = ['awaiting_deposit', 'expired']

interface Row {
  readonly leaf_index: number
  readonly leaf: Uint8Array
}

/** Reads leaves in order, starting at the index `from`. Stops at the first gap or after `countMax` leaves. */
export async function readLeaves(sql: Sql, from: number, countMax?: number): Promise<bigint[]> {
  const rows = await sql.query<Row>(
    `SELECT leaf_index::integer AS leaf_index, leaf FROM leaves WHERE leaf_index >= $1
     ORDER BY leaf_index LIMIT $2::bigint`,
    [from, countMax ?? null],
  )
  const leaves: bigint[] = []
  for (const row of rows) {
    if (row.leaf_index !== from + leaves.length) break
    leaves.push(fieldFromBytes(bytesOf(row.leaf)))
  }
  return leaves
}

/**
 * Finds the last stored index of each of these leaves. The caller searches only for change notes. The owner of a
 * balance can create a change note whose leaf equals an order's leaf, so the indexes of orders' deposits are left out.
 */
export async function findLeaves(
  sql: Sql,
  leaves: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  if (leaves.length === 0) return new Map()
  const rows = await sql.query<Row>(
    `SELECT leaf, MAX(leaf_index)::integer AS leaf_index FROM leaves
     WHERE leaf IN (SELECT decode(leaf, 'hex') FROM unnest($1::text[]) AS given (leaf))
       AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.leaf_index = leaves.leaf_index)
     GROUP BY leaf`,
    [leaves.map(hexOfLeaf)],
  )
  return new Map(rows.map(({ leaf, leaf_index: at }) => [fieldFromBytes(bytesOf(leaf)), at]))
}
