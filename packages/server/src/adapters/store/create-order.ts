import { fieldToBytes } from '@sotto/protocol'
import type { NewOrder, OrderStore, SwapRoom } from '../../ports/order-store.ts'
import type { Database, Sql } from './sql.ts'
import { roomFor } from './swap-room.ts'
import { uniqueViolation } from './unique-violation.ts'

const INSERT = `INSERT INTO orders (id, account_id, quote_nonce, idempotency_key, fingerprint, epoch,
    reference, status, source_mint, destination_mint, amount_in, amount_out, fee, partner_fee, sender,
    partner_account, deadline, valid_until, expiry, inner_commitment, payload,
    last_valid_block_height, sealed_terms, sealed_response, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 'awaiting_deposit', $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20, $21, $22, $23, $24, $24)`

async function insert(sql: Sql, order: NewOrder): Promise<void> {
  const values = [
    order.id,
    order.accountId,
    order.quoteNonce,
    order.idempotencyKey ?? null,
    order.fingerprint,
    order.epoch,
    order.reference ?? null,
    order.sourceMint,
    order.destinationMint,
    order.amountIn.toString(),
    order.amountOut.toString(),
    order.fee.toString(),
    order.partnerFee.toString(),
    order.sender,
    order.partnerAccount ?? null,
    order.deadline.toString(),
    order.validUntil.toString(),
    order.expiry.toString(),
    fieldToBytes(order.inner),
    order.payload,
    order.lastValidBlockHeight.toString(),
    order.sealedTerms,
    order.sealedResponse,
    new Date(order.createdAtMs),
  ]
  await sql.query(INSERT, values, 'create-order')
}

/** Ends the transaction of a swap that doesn't fit, and says why; it never leaves this file. */
class NoRoom extends Error {
  override readonly name = 'NoRoom'
  readonly reason: 'no_inventory' | 'too_many_open'

  constructor(reason: 'no_inventory' | 'too_many_open') {
    super(reason)
    this.reason = reason
  }
}

/**
 * The insert comes first: whoever lost the race for the quote or the key must hear that, and not that
 * the winner left no room for a second one. A swap that finds no room takes its row back.
 */
function insertSwap(database: Database, order: NewOrder, swap: SwapRoom): Promise<'created'> {
  return database.transaction(async (sql) => {
    await insert(sql, order)
    const room = await roomFor(sql, order, swap)
    if (room !== 'room') throw new NoRoom(room)
    return 'created' as const
  })
}

/**
 * One transaction inserts the order with its key, sealed terms and sealed response. The unique indexes
 * decide races: whoever comes second gets `taken`, and no claim is left behind by a crash.
 */
export const createOrder =
  (database: Database): OrderStore['tryCreate'] =>
  async (order, swap) => {
    try {
      if (swap !== undefined) return await insertSwap(database, order, swap)
      await insert(database, order)
      return 'created'
    } catch (error) {
      if (error instanceof NoRoom) return error.reason
      if (uniqueViolation(error) === undefined) throw error
      return 'taken'
    }
  }
