import { fieldToBytes } from '@sotto/protocol'
import type { CreateOutcome, NewOrder, OrderRoom, OrderStore } from '../../ports/order-store.ts'
import type { Database, Sql } from './sql.ts'
import { NO_NETWORK, roomFor } from './swap-room.ts'
import { uniqueViolation } from './unique-violation.ts'

const INTO = `INSERT INTO orders (id, account_id, quote_nonce, idempotency_key, fingerprint, epoch,
    reference, status, source_mint, destination_mint, amount_in, partner_fee, value, amount_out, sender,
    partner_account, deadline, valid_until, expiry, inner_commitment, leaf, payload,
    last_valid_block_height, sealed_terms, sealed_response, created_at, updated_at, network, place)`
const ROW = `$1, $2, $3, $4, $5, $6, $7, 'awaiting_deposit', $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20, $21, $22, $23, $24, $25, $25, $26`
// If another order has the place, no row is inserted; if one has the quote or the key, the insert fails.
const IF_FREE = `ON CONFLICT (account_id, network, place)
    WHERE status = 'awaiting_deposit' AND final_hour IS NULL DO NOTHING RETURNING place`

/** Tries a random place: most are nearly always free, so one statement is usually enough. */
const AT_ANY_PLACE = `${INTO}
  VALUES (${ROW}, floor(random() * $27::integer)::integer) ${IF_FREE}`
const AT_FREE_PLACE = `${INTO}
  SELECT ${ROW}, free.place FROM (
    SELECT place FROM generate_series(0, $27::integer - 1) AS place
    WHERE NOT EXISTS (
      SELECT 1 FROM orders WHERE orders.account_id = $2
        AND orders.network = $26
        AND orders.place = place.place AND status = 'awaiting_deposit' AND final_hour IS NULL)
    ORDER BY random() LIMIT 1) AS free ${IF_FREE}`
const AT_NO_PLACE = `${INTO} VALUES (${ROW}, NULL)`

/** Requests may race for the last places; one that loses this many times is refused. */
const TRIES = 4

const valuesOf = (order: NewOrder): readonly unknown[] => [
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
  order.partnerFee.toString(),
  order.value.toString(),
  order.amountOut.toString(),
  order.sender,
  order.partnerAccount ?? null,
  order.deadline.toString(),
  order.validUntil.toString(),
  order.expiry.toString(),
  fieldToBytes(order.inner),
  fieldToBytes(order.leaf),
  order.payload,
  order.lastValidBlockHeight.toString(),
  order.sealedTerms,
  order.sealedResponse,
  new Date(order.createdAtMs),
  order.network ?? NO_NETWORK,
]

async function insert(sql: Sql, order: NewOrder, ordersMax: number): Promise<CreateOutcome> {
  const values = [...valuesOf(order), ordersMax]
  if (ordersMax > 0) {
    if ((await sql.query(AT_ANY_PLACE, values, 'create-order')).length > 0) return 'created'
    for (let tries = 0; tries < TRIES; tries += 1) {
      if ((await sql.query(AT_FREE_PLACE, values)).length > 0) return 'created'
    }
  }
  return (await isTaken(sql, order)) ? 'taken' : 'too_many_unpaid'
}

const TAKEN = `SELECT 1 FROM orders WHERE quote_nonce = $1
  UNION ALL SELECT 1 FROM orders WHERE idempotency_key = $2 AND account_id IS NOT DISTINCT FROM $3`

/** The loser of a race for the quote or the key must learn that, not that the winner took the last place. */
async function isTaken(
  sql: Sql,
  { quoteNonce, idempotencyKey, accountId }: NewOrder,
): Promise<boolean> {
  return (await sql.query(TAKEN, [quoteNonce, idempotencyKey ?? null, accountId])).length > 0
}

/** Rolls back the transaction of a swap that doesn't fit, with the reason; it never leaves this file. */
class NoRoom extends Error {
  override readonly name = 'NoRoom'
  readonly reason: 'no_inventory' | 'too_many_swaps'

  constructor(reason: 'no_inventory' | 'too_many_swaps') {
    super(reason)
    this.reason = reason
  }
}

/** The insert comes first, as in `isTaken`. A swap that doesn't fit is rolled back. */
function insertSwap(
  database: Database,
  order: NewOrder,
  { ordersMax, swap }: OrderRoom & { readonly swap: NonNullable<OrderRoom['swap']> },
): Promise<CreateOutcome> {
  return database.transaction(async (sql) => {
    const outcome = await insert(sql, order, ordersMax)
    if (outcome !== 'created') return outcome
    const room = await roomFor(sql, order, swap)
    if (room !== 'room') throw new NoRoom(room)
    return outcome
  })
}

/**
 * One transaction inserts the order with its key, sealed terms and sealed response. The unique indexes
 * decide races: the second request gets `taken`, and a crash leaves no claim.
 */
export const createOrder =
  (database: Database): OrderStore['tryCreate'] =>
  async (order, room) => {
    try {
      if (room === undefined) {
        await database.query(AT_NO_PLACE, valuesOf(order))
        return 'created'
      }
      const { ordersMax, swap } = room
      if (swap !== undefined) return await insertSwap(database, order, { ordersMax, swap })
      return await insert(database, order, ordersMax)
    } catch (error) {
      if (error instanceof NoRoom) return error.reason
      if (uniqueViolation(error) === undefined) throw error
      return 'taken'
    }
  }
