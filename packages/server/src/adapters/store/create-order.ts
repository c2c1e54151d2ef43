import { fieldToBytes } from '@sotto/protocol'
import type { CreateOutcome, NewOrder, OrderRoom, OrderStore } from '../../ports/order-store.ts'
import { insertAtPlace, INTO, isTaken, rowOf, type Places } from './insert-order.ts'
import { insertTogether } from './insert-together.ts'
import type { Database, Sql } from './sql.ts'
import { NO_NETWORK, roomFor } from './swap-room.ts'
import { uniqueViolation } from './unique-violation.ts'

const AT_NO_PLACE = `${INTO} VALUES (${rowOf('awaiting_deposit')}, NULL)`

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

async function insert(
  sql: Sql,
  order: NewOrder,
  values: readonly unknown[],
  places: Places,
): Promise<CreateOutcome> {
  const isInserted = await insertAtPlace(sql, 'awaiting_deposit', values, places)
  if (isInserted) return 'created'
  return (await isTaken(sql, order)) ? 'taken' : 'too_many_unpaid'
}

/**
 * Thrown inside a swap's transaction if there is no room for the swap. It rolls the transaction back and carries the
 * reason. `createOrder` catches it.
 */
class NoRoom extends Error {
  override readonly name = 'NoRoom'
  readonly reason: 'no_inventory' | 'too_many_swaps'

  constructor(reason: 'no_inventory' | 'too_many_swaps') {
    super(reason)
    this.reason = reason
  }
}

/**
 * Inserts a swap's order, and rolls back if there is no room for the swap. If the quote or key already has an order,
 * the result must be `taken`, even if there is no room. So the insert comes before the check.
 */
function insertSwap(
  database: Database,
  order: NewOrder,
  { swap, ...places }: OrderRoom & { readonly swap: NonNullable<OrderRoom['swap']> },
): Promise<CreateOutcome> {
  return database.transaction(async (sql) => {
    const outcome = await insert(sql, order, valuesOf(order), places)
    if (outcome !== 'created') return outcome
    const room = await roomFor(sql, order, swap)
    if (room !== 'room') throw new NoRoom(room)
    return outcome
  })
}

/**
 * Inserts the order with its idempotency key, sealed terms and sealed response. If two requests race, the unique
 * indexes decide, and the second request gets `taken`. After a crash, the request is stored completely or not at all.
 */
export function createOrder(database: Database): OrderStore['tryCreate'] {
  const tryTogether = insertTogether(database)
  return async (order, room) => {
    try {
      if (room === undefined) {
        await database.query(AT_NO_PLACE, valuesOf(order))
        return 'created'
      }
      const { swap, ...places } = room
      const { ordersMax } = places
      if (swap !== undefined) return await insertSwap(database, order, { ...places, swap })
      const values = valuesOf(order)
      const { id, quoteNonce, idempotencyKey } = order
      const isShared = idempotencyKey === undefined && ordersMax > 0
      const tried = isShared ? await tryTogether({ id, quoteNonce, values, ordersMax }) : 'untried'
      if (tried === 'inserted') return 'created'
      return await insert(database, order, values, {
        ...places,
        isPlaceTried: tried === 'left_out',
      })
    } catch (error) {
      if (error instanceof NoRoom) return error.reason
      if (uniqueViolation(error) === undefined) throw error
      return 'taken'
    }
  }
}
