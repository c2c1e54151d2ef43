import { fieldFromBytes, type Address } from '@sotto/protocol'
import type { OrderStatus } from '../../../domain/order-state.ts'
import type { AttemptKind, OpenOrder } from '../../../ports/settle-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'

interface Row {
  readonly id: Uint8Array
  readonly epoch: number
  readonly status: OrderStatus
  readonly sender: Address
  readonly source_mint: Address
  readonly destination_mint: Address
  readonly amount_out: string
  readonly fee: string
  readonly expiry: string
  readonly inner_commitment: Uint8Array
  readonly leaf_index: number
  readonly sealed_terms: Uint8Array
  readonly sealed_plan: Uint8Array
  readonly lease_until: Date | null
  readonly attempt_number: number | null
  readonly attempt_kind: AttemptKind | null
  readonly attempt_sealed: Uint8Array | null
}

/** Every order whose note is in the tree and not known to be settled, with its live attempt. */
export async function listOpen(sql: Sql): Promise<OpenOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT orders.id, orders.epoch::integer AS epoch, orders.status, orders.sender,
            orders.source_mint, orders.destination_mint, orders.amount_out, orders.fee,
            orders.expiry, orders.inner_commitment, orders.leaf_index::integer AS leaf_index,
            orders.sealed_terms, orders.sealed_plan, orders.lease_until,
            attempts.number AS attempt_number, attempts.kind AS attempt_kind,
            attempts.sealed AS attempt_sealed
     FROM orders
     LEFT JOIN attempts ON attempts.order_id = orders.id AND attempts.state = 'live'
     WHERE orders.status IN ('deposited', 'delivering', 'refunding')
       AND orders.leaf_index IS NOT NULL`,
    [],
  )
  return rows.map((row) => ({
    orderId: bytesOf(row.id),
    epoch: row.epoch,
    status: row.status,
    sender: row.sender,
    sourceMint: row.source_mint,
    destinationMint: row.destination_mint,
    amountOut: BigInt(row.amount_out),
    fee: BigInt(row.fee),
    expiry: BigInt(row.expiry),
    inner: fieldFromBytes(bytesOf(row.inner_commitment)),
    leafIndex: row.leaf_index,
    sealedTerms: bytesOf(row.sealed_terms),
    sealedPlan: bytesOf(row.sealed_plan),
    leaseUntilMs: row.lease_until?.getTime(),
    attempt: attemptOf(row),
  }))
}

function attemptOf(row: Row): OpenOrder['attempt'] {
  const { attempt_number: number, attempt_kind: kind, attempt_sealed: sealed } = row
  if (number === null || kind === null || sealed === null) return undefined
  return { number, kind, sealed: bytesOf(sealed) }
}
