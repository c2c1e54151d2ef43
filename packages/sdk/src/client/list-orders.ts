import type { ListOrdersResponse, OrderSummary } from '@sotto/contract'

export type OrderSummaryRecord = OrderSummary
export type OrdersPage = ListOrdersResponse

/** Every order of the account, newest first. A page is requested only after the page before it was consumed. */
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
