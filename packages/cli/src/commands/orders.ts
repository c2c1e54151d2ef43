import type { OrderSummaryRecord } from '@sotto/sdk/server'
import type { CliContext } from '../context.ts'
import { showAmount } from '../output/show-status.ts'
import { rowsTable } from '../output/table.ts'
import { listTokens } from './request.ts'

const HEAD = ['created', 'tracking id', 'status', 'pays', 'arrives', 'reference']

/** `orders`: lists the account's orders, newest first. */
export async function runOrders(
  context: CliContext,
  { limit, open }: { readonly limit: number; readonly open?: boolean },
): Promise<void> {
  const client = await context.client()
  const orders: OrderSummaryRecord[] = []
  const pageSize = Math.min(limit, 100)
  for await (const order of client.orders({ signal: context.signal, pageSize })) {
    if (open === true && order.final) continue
    orders.push(order)
    if (orders.length === limit) break
  }
  const { tokens } = context.output.isJson ? { tokens: [] } : await listTokens(context)
  context.output.result({ orders }, () =>
    rowsTable(
      HEAD,
      orders.map((order) => [
        order.createdAt,
        order.trackingId,
        order.status,
        showAmount(order.amountIn, order.sourceAssetId, tokens),
        showAmount(order.amountOut, order.destinationAssetId, tokens),
        order.reference ?? '',
      ]),
      context.output.width,
    ),
  )
}
