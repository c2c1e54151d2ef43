import type { OrderStatusRecord } from '@sotto/sdk/server'
import { sleep } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { showStatus } from '../output/show-status.ts'
import { listTokens } from './request.ts'

export interface StatusOptions {
  readonly watch?: boolean
  /** Seconds between two polls. */
  readonly interval: number
}

/**
 * `status`: shows an order's status. With `--watch`, it shows the order again at each change until the status is final,
 * and the exit code shows whether the order was delivered.
 */
export async function runStatus(
  context: CliContext,
  trackingId: string,
  { watch, interval }: StatusOptions,
): Promise<ExitCode> {
  const { output, signal } = context
  const client = await context.client()
  const { tokens } = output.isJson ? { tokens: [] } : await listTokens(context)
  const show = (order: OrderStatusRecord) => output.result(order, () => showStatus(order, tokens))
  let order = await client.status(trackingId, { signal })
  show(order)
  if (watch !== true) return EXIT.done
  while (!order.final) {
    output.progress.waiting(`status: ${order.status}`, order.eta)
    await sleep(interval * 1_000, signal)
    const next = await client.status(trackingId, { signal })
    const isNews = changeOf(next) !== changeOf(order)
    order = next
    if (isNews) show(order)
    // The process that reads this command's output has ended.
    if ((await output.written()) !== undefined && !order.final) return EXIT.unfinished
  }
  return order.status === 'delivered' ? EXIT.done : EXIT.undelivered
}

/**
 * The members that cause a new line when they change. The expected seconds aren't among them, because they change all
 * the time.
 */
const changeOf = ({ status, nextAction, deposit }: OrderStatusRecord): string =>
  [status, nextAction, deposit === null].join()
