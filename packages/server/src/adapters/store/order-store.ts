import type { OrderStore } from '../../ports/order-store.ts'
import { createOrder } from './create-order.ts'
import { findReplays } from './find-replays.ts'
import { listOrders } from './list-orders.ts'
import { readOrder } from './read-order.ts'
import { refreshOrder } from './refresh-order.ts'
import type { Database } from './sql.ts'

/** Orders as the interface sees them, in SQL. */
export function sqlOrderStore(database: Database): OrderStore {
  return {
    findReplays: findReplays(database),
    tryCreate: createOrder(database),
    readOrder: readOrder(database),
    tryRefresh: refreshOrder(database),
    listOrders: listOrders(database),
  }
}
