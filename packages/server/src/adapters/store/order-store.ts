import type { OrderStore } from '../../ports/order-store.ts'
import { createOrder } from './create-order.ts'
import { findReplays } from './find-replays.ts'
import { listOrders } from './list-orders.ts'
import { createPayment, readPayment, readReservedUntil, signPayment } from './payments.ts'
import { readOrder } from './read-order.ts'
import { refreshOrder } from './refresh-order.ts'
import type { PseudonymSecrets } from './settlement/pseudonym.ts'
import type { Database } from './sql.ts'

/**
 * Reads and writes orders for the HTTP interface, in SQL. It needs the secrets to find an order's row in `settlements`,
 * which is stored under a pseudonym.
 */
export function sqlOrderStore(database: Database, secrets: PseudonymSecrets): OrderStore {
  return {
    findReplays: findReplays(database),
    tryCreate: createOrder(database),
    tryCreatePayment: createPayment(database),
    readReservedUntil: readReservedUntil(database),
    readPayment: readPayment(database, secrets),
    trySign: signPayment(database),
    readOrder: readOrder(database, secrets),
    tryRefresh: refreshOrder(database),
    listOrders: listOrders(database, secrets),
  }
}
