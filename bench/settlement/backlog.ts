import type { Market } from '../../testing/soak/customer.ts'
import { ownProcessorMs } from '../../testing/stage/processor-time.ts'
import type { ServiceProcess } from '../../testing/stage/service-process.ts'
import type { SuiteOptions } from '../suite.ts'
import type { Measured } from '../report/line.ts'
import type { BareProver } from './bare-rate.ts'
import type { Deliveries } from './deliveries.ts'
import { placePaid } from './orders.ts'

export const FAULTS = [0, 10, 30] as const
/**
 * Number of orders. About six orders are delivered each second. With this many orders, the rate hardly changes if one
 * confirmation is a few seconds late.
 */
const ORDERS = 150
const QUICK_ORDERS = 12
const PROOFS = 20
const QUICK_PROOFS = 4
const USERS = 6
/**
 * The first and the last tenth of the deliveries are left out. During the first tenth, the worker starts. During the
 * last tenth, it runs out of work.
 */
const FROM = 0.1
const TO = 0.9
/**
 * The pause between polls, in milliseconds: about a hundredth of the measured time. More polls would take more
 * processor time from the measured worker.
 */
const POLL_MS = 200

/** The names of one run's results. `percent` is the percentage of the worker's requests to the node that fail. */
export const backlogNames = (percent: (typeof FAULTS)[number]) => ({
  rate: `settlement: deliveries, ${percent} % faults`,
  proofs: `settlement: proofs for a delivery, ${percent} % faults`,
  use: `settlement: prover in use, ${percent} % faults`,
  processor: `settlement: worker's processor for a delivery, ${percent} % faults`,
})

/**
 * Measures the deliveries per second of one worker with one prover and a backlog. Meanwhile, a given percentage of the
 * worker's requests to the node fails. The baseline is the rate of the prover alone, measured before and after the
 * deliveries.
 *
 * The other results hardly depend on the machine's other load. They are the number of proofs, the share of the time in
 * which the prover worked, and the worker's own processor time.
 */
export async function measureBacklog(
  market: Market,
  tools: { readonly deliveries: Deliveries; readonly prover: BareProver },
  percent: (typeof FAULTS)[number],
  { quick, progress }: SuiteOptions,
): Promise<Measured[]> {
  const { stage } = market
  const { deliveries, prover } = tools
  const orders = quick ? QUICK_ORDERS : ORDERS
  const proofs = quick ? QUICK_PROOFS : PROOFS
  const names = backlogNames(percent)
  progress(`  ${names.rate}: ${orders} orders are placed and paid`)
  await placePaid(market, orders, USERS)
  const before = await prover.rate(proofs)
  const { delivered } = await deliveries.counts()
  stage.proxy.setPercent(percent)
  // If no requests fail, the worker connects to the node without a proxy. A proxy would take processor time.
  const worker = await stage.addWorker(percent === 0)
  const [from, to] = [Math.ceil(orders * FROM), Math.floor(orders * TO)]
  const start = {
    atMs: await deliveries.until('delivered', delivered + from, POLL_MS),
    ...(await spentBy(worker)),
  }
  const end = {
    atMs: await deliveries.until('delivered', delivered + to, POLL_MS),
    ...(await spentBy(worker)),
  }
  await deliveries.until('delivered', delivered + orders, POLL_MS)
  const made = await worker.metric(PROOFS_MADE)
  stage.proxy.setPercent(0)
  await worker.stop()
  const after = await prover.rate(proofs)
  const rate = ((to - from) * 1_000) / (end.atMs - start.atMs)
  progress(
    `  ${names.rate}: ${rate.toFixed(2)} a second, bare ${before.toFixed(2)}, ${after.toFixed(2)}`,
  )
  const use = (end.proverMs - start.proverMs) / (end.atMs - start.atMs)
  const processorMs = (end.processorMs - start.processorMs) / (to - from)
  const bare = [1_000 / before, 1_000 / after]
  const line = (name: string, unit: string, value: number) => ({ name, unit, values: [value] })
  return [
    { ...line(names.rate, '1/s', rate), baselines: [before, after], bar: '>= 0.8' },
    { ...line(names.proofs, 'proofs', made / orders), baselines: [1], bar: '<= 1.05' },
    { ...line(names.use, 's/s', use), baselines: [1], bar: null },
    { ...line(names.processor, 'ms', processorMs), baselines: bare, bar: null },
  ]
}

/** The metric that counts a worker's proofs. It counts requests to the prover that have ended. */
const PROOFS_MADE = 'sotto_proof_seconds_count'

/** The time that a worker has used so far: the time of its prover, and the processor time of its own process. */
async function spentBy(
  worker: ServiceProcess,
): Promise<{ readonly proverMs: number; readonly processorMs: number }> {
  return {
    proverMs: (await worker.metric('sotto_prover_busy_seconds_total')) * 1_000,
    processorMs: await ownProcessorMs(worker.pid ?? 0),
  }
}
