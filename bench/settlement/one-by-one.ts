import { NATIVE_MINT } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import { pay, type Market } from '../../testing/soak/customer.ts'
import { quantile } from '../load/open-loop.ts'
import { medianOf, type Measured } from '../report/line.ts'
import type { SuiteOptions } from '../suite.ts'
import type { BareProver } from './bare-rate.ts'
import type { Deliveries } from './deliveries.ts'
import { placeSend } from './orders.ts'

const ORDERS = 20
const QUICK_ORDERS = 2
const POLL_MS = 20
const P90 = 0.9
const P99 = 0.99

/** Measures the milliseconds until the current slot is finalized. Every landed transaction has to wait for finality. */
async function finality({ stage }: Market): Promise<number> {
  const { rpc } = stage.chain
  const slot = await rpc.getSlot({ commitment: 'processed' }).send()
  const startedMs = performance.now()
  while ((await rpc.getSlot({ commitment: 'finalized' }).send()) < slot) await sleep(POLL_MS)
  return performance.now() - startedMs
}

/**
 * Measures two times of each order, one order after the other, without random delays. The first is the time from the
 * start of work on the order, right after its deposit is recorded, to `delivered`. It is compared with one proof by the
 * prover alone plus the time to finality. The time from the user's signature to the arrival of the money is compared
 * with the time in the quote.
 */
export async function measureOneByOne(
  market: Market,
  tools: { readonly deliveries: Deliveries; readonly prover: BareProver },
  { quick, progress }: SuiteOptions,
): Promise<Measured[]> {
  const { stage } = market
  const { deliveries, prover } = tools
  const worker = await stage.addWorker()
  const orders = quick ? QUICK_ORDERS : ORDERS
  const settling: number[] = []
  const least: number[] = []
  const funded: number[] = []
  const promised: number[] = []
  for (let index = 0; index < orders; index += 1) {
    const placed = await placeSend(market, index)
    const { seen, delivered } = await deliveries.counts()
    const signedMs = performance.now()
    const paid = pay(market, placed)
    const seenMs = await deliveries.until('seen', seen + 1)
    while ((await stage.chain.balance(placed.recipient, NATIVE_MINT)) === 0n) await sleep(POLL_MS)
    funded.push((performance.now() - signedMs) / 1_000)
    settling.push((await deliveries.until('delivered', delivered + 1)) - seenMs)
    await paid
    least.push(1_000 / (await prover.rate(1)) + (await finality(market)))
    promised.push(placed.quote.duration)
    progress(`  order ${index + 1} of ${orders}: ${Math.round(settling.at(-1) ?? 0)} ms`)
  }
  await worker.stop()
  const at = (part: number) => ({
    values: [quantile(settling, part)],
    baselines: [medianOf(least)],
  })
  const duration = { values: [quantile(funded, P90)], baselines: promised }
  return [
    { name: 'settlement: deposit seen to delivered, p50', unit: 'ms', ...at(0.5), bar: null },
    { name: 'settlement: deposit seen to delivered, p99', unit: 'ms', ...at(P99), bar: null },
    { name: 'settlement: signature to funds, p90', unit: 's', ...duration, bar: '<= 1' },
  ]
}
