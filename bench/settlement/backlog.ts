import type { Market } from '../../testing/soak/customer.ts'
import type { SuiteOptions } from '../suite.ts'
import type { Measured } from '../report/line.ts'
import type { BareProver } from './bare-rate.ts'
import type { Deliveries } from './deliveries.ts'
import { placePaid } from './orders.ts'

export const FAULTS = [0, 10, 30] as const
/** At four proofs a second, a confirmation that waits seconds for a node must not decide the rate. */
const ORDERS = 150
const QUICK_ORDERS = 12
const PROOFS = 20
const QUICK_PROOFS = 4
const USERS = 6
/**
 * The first and last deliveries are left out, because they measure the worker's start and its last straggler.
 */
const FROM = 0.1
const TO = 0.9

/**
 * Deliveries per second of one worker with one prover and a backlog, while a percentage of its requests to the node
 * fail. They are compared with the prover's own rate before and after.
 */
export async function measureBacklog(
  market: Market,
  tools: { readonly deliveries: Deliveries; readonly prover: BareProver },
  percent: (typeof FAULTS)[number],
  { quick, progress }: SuiteOptions,
): Promise<Measured> {
  const { stage } = market
  const { deliveries, prover } = tools
  const orders = quick ? QUICK_ORDERS : ORDERS
  const proofs = quick ? QUICK_PROOFS : PROOFS
  const name = `settlement: deliveries, ${percent} % faults`
  progress(`  ${name}: ${orders} orders are placed and paid`)
  await placePaid(market, orders, USERS)
  const before = await prover.rate(proofs)
  const { delivered } = await deliveries.counts()
  stage.proxy.setPercent(percent)
  const worker = await stage.addWorker()
  const [from, to] = [Math.ceil(orders * FROM), Math.floor(orders * TO)]
  const fromMs = await deliveries.until('delivered', delivered + from)
  const toMs = await deliveries.until('delivered', delivered + to)
  const rate = ((to - from) * 1_000) / (toMs - fromMs)
  await deliveries.until('delivered', delivered + orders)
  stage.proxy.setPercent(0)
  await worker.stop()
  const after = await prover.rate(proofs)
  progress(`  ${name}: ${rate.toFixed(2)} a second, bare ${before.toFixed(2)}, ${after.toFixed(2)}`)
  return { name, unit: '1/s', values: [rate], baselines: [before, after], bar: '>= 0.8' }
}
