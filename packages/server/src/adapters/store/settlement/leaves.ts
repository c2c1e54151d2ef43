import { fieldToBytes, fieldFromBytes } from '@sotto/protocol'
import type { StoredLeaf, DepositKey } from '../../../ports/settlement-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'

export async function insertLeaves(sql: Sql, leaves: readonly StoredLeaf[]): Promise<void> {
  if (leaves.length === 0) return
  await sql.query(
    `INSERT INTO leaves (leaf_index, leaf, order_id, slot)
     SELECT leaf_index, decode(leaf, 'hex'), decode(order_id, 'hex'), slot
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
       AS given (leaf_index, leaf, order_id, slot)`,
    [
      leaves.map(({ index }) => `${index}`),
      leaves.map(({ leaf }) => hexOf(fieldToBytes(leaf))),
      leaves.map(({ orderId }) => hexOf(orderId)),
      leaves.map(({ slot }) => slot.toString()),
    ],
  )
}

/** Replaces all leaves from index `keep` on with a rescan's, and updates each order's index. */
export async function replaceLeaves(
  sql: Sql,
  leaves: readonly StoredLeaf[],
  keep: number,
): Promise<void> {
  await sql.query('DELETE FROM leaves WHERE leaf_index >= $1', [keep])
  await insertLeaves(sql, leaves)
  // Matched by the deposit's slot, because a later one may have the same id. In two steps, because two orders would
  // share an index while indexes move.
  await sql.query('UPDATE orders SET leaf_index = NULL WHERE leaf_index >= $1', [keep])
  await sql.query(
    `UPDATE orders SET leaf_index = leaves.leaf_index
     FROM leaves WHERE leaves.order_id = orders.id AND leaves.leaf_index >= $1
       AND leaves.slot = orders.deposit_slot`,
    [keep],
  )
}

interface Row {
  readonly leaf_index: number
  readonly leaf: Uint8Array
}

/** Leaves from an index on, in order, up to the first gap. */
export async function readLeaves(sql: Sql, from: number): Promise<bigint[]> {
  const rows = await sql.query<Row>(
    'SELECT leaf_index::integer AS leaf_index, leaf FROM leaves WHERE leaf_index >= $1 ORDER BY leaf_index',
    [from],
  )
  const leaves: bigint[] = []
  for (const row of rows) {
    if (row.leaf_index !== from + leaves.length) break
    leaves.push(fieldFromBytes(bytesOf(row.leaf)))
  }
  return leaves
}

const LEAF_BYTES = 32

/** All leaves up to the first gap, 32 little-endian bytes each, in the form from which a tree is built. */
export async function readLeafBytes(sql: Sql): Promise<Uint8Array> {
  const rows = await sql.query<Row>(
    'SELECT leaf_index::integer AS leaf_index, leaf FROM leaves ORDER BY leaf_index',
    [],
  )
  const gap = rows.findIndex(({ leaf_index: index }, place) => index !== place)
  const whole = gap < 0 ? rows : rows.slice(0, gap)
  const bytes = new Uint8Array(whole.length * LEAF_BYTES)
  whole.forEach(({ leaf }, index) => {
    bytes.set(bytesOf(leaf), index * LEAF_BYTES)
    bytes.subarray(index * LEAF_BYTES, (index + 1) * LEAF_BYTES).reverse()
  })
  return bytes
}

/** The deposits with these ids that have a leaf already, at an index below `below`. */
export async function readKnownLeaves(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  below: number,
): Promise<DepositKey[]> {
  const rows = await sql.query<{ readonly order_id: Uint8Array; readonly slot: string }>(
    `SELECT order_id, slot FROM leaves
     WHERE leaf_index < $2
       AND order_id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf), below],
  )
  return rows.map(({ order_id, slot }) => ({ orderId: bytesOf(order_id), slot: BigInt(slot) }))
}

/** The slot of a stored leaf's deposit. @throws Error if there is none at that index. */
export async function readLeafSlot(sql: Sql, index: number): Promise<bigint> {
  const [row] = await sql.query<{ readonly slot: string }>(
    'SELECT slot FROM leaves WHERE leaf_index = $1',
    [index],
  )
  if (row === undefined) throw new Error('the leaf is not stored')
  return BigInt(row.slot)
}

/** True if a leaf belongs to no order of this database and wasn't written off. */
export async function hasUnknownLeaf(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM leaves
     WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = leaves.order_id)
       AND NOT EXISTS (SELECT 1 FROM written_off WHERE written_off.order_id = leaves.order_id) LIMIT 1`,
    [],
  )
  return rows.length > 0
}
