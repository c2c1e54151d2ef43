import type { ListOrdersResponse, OrderSummary } from '@sotto/contract'

export type OrderSummaryRecord = OrderSummary
export type OrdersPage = ListOrdersResponse

/**
 * Yields every order of the account, newest first. Requests the next page only after the caller has consumed the
 * previous page.
 */
export async function* eachOrder(
  readPage: (cursor: string | undefined) => Promise<OrdersPage>,
): AsyncGenerator<OrderSummaryRecord, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await readPage(cursor)
    yield* page.orders
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
