import { hexOf } from '../../../domain/hex.ts'
import { bytesOf } from '../column-values.ts'
import type { Sql } from '../sql.ts'
import { fieldFromBytes } from '@sotto/protocol'

/** The deposits that a database accounts for. */
export interface KnownDeposits {
  /** The leaf of each order, by the order's id in hex. A payment has no leaf of its own. */
  readonly orders: ReadonlyMap<string, bigint>
  /** Leaves that belong to no order and were written off. */
  readonly writtenOff: ReadonlySet<bigint>
}

/**
 * Reads the leaves of all orders, including final orders whose keys are destroyed, and the leaves that were written
 * off.
 */
export async function readKnownDeposits(sql: Sql): Promise<KnownDeposits> {
  interface Row {
    readonly id: Uint8Array
    readonly leaf: Uint8Array
  }
  const orders = await sql.query<Row>('SELECT id, leaf FROM orders WHERE leaf IS NOT NULL', [])
  const off = await sql.query<Pick<Row, 'leaf'>>('SELECT leaf FROM written_off', [])
  const leafOf = ({ leaf }: Pick<Row, 'leaf'>) => fieldFromBytes(bytesOf(leaf))
  return {
    orders: new Map(orders.map((row) => [hexOf(bytesOf(row.id)), leafOf(row)])),
    writtenOff: new Set(off.map(leafOf)),
  }
}
