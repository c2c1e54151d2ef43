import { statusOf, type MemoryOrder, type MemoryPayment } from '../store/memory-database.ts'
import { isFinal, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import { PAUSE_MAX_MS } from '../../packages/server/src/settlement/pay/postpone.ts'
import { priorityOf, unitPriceIn } from '../chain/transaction.ts'
import { finalCheck } from '../check/final-check.ts'
import { heldPayments, stragglersOf } from '../check/stragglers.ts'
import { afterwards } from '../check/afterwards.ts'
import type { Violation } from '../check/verdict.ts'
import type { FaultKind } from '../faults/fault-kinds.ts'
import type { TraceLine } from '../time/trace.ts'
import { disturbProver } from './disturb-prover.ts'
import { disturbRelayers } from './disturb-relayers.ts'
import { keepLiftingHalts } from './lift-halts.ts'
import { World, type RunOptions } from './world.ts'

/** The result of a run. */
export interface RunResult {
  readonly seed: number
  /** A digest of all events. Two runs with the same events have the same digest. */
  readonly digest: string
  readonly violation: Violation | undefined
  readonly customers: number
  readonly orders: number
  readonly statuses: Partial<Record<OrderStatus, number>>
  /** Number of payments out of balances by status. The payments of the other service are included. */
  readonly payments: Partial<Record<OrderStatus, number>>
  readonly faults: Partial<Record<FaultKind, number>>
  readonly events: number
  readonly transactions: number
  /**
   * The number of the services' transactions that landed, and their priority fees in lamports. The fees are a string of
   * digits, because processes send results to each other as JSON.
   */
  readonly costs: { readonly paid: number; readonly priorityLamports: string }
  readonly lines: readonly TraceLine[]
}

const DISTURB_MS = 10_000
const HOUR_MS = 3_600_000
/** Number of events between two checks whether all orders have ended. */
const ENDED_EVERY = 32
/** The polling interval in quiet times. */
const QUIET_MS = 60_000
/**
 * Faults continue for at most this time after the last order has ended. This tests that faults don't change final
 * orders.
 */
const STAY_MS = 120_000

/**
 * Runs one seed: first with faults, then without faults until every order has ended, then for some quiet days or
 * weeks.
 */
export async function runSeed(options: RunOptions): Promise<RunResult> {
  const world = new World(options)
  const { timeline, watch, faults, chain } = world
  world.begin()
  const disturb = () => {
    if (faults.isHealed) return
    for (const worker of world.allWorkers) worker.disturb()
    for (const endpoint of world.endpoints) endpoint.disturb()
    disturbRelayers(world)
    disturbProver(world)
    timeline.after(DISTURB_MS, disturb)
  }
  timeline.after(DISTURB_MS, disturb)
  keepLiftingHalts(world)
  const isBroken = () => watch.violation !== undefined
  // The check of all orders takes longer than most events, so it doesn't follow every event.
  const isOver = () => isBroken() || (timeline.steps % ENDED_EVERY === 0 && hasEnded(world))
  const healsAtMs = timeline.nowMs + world.faultyMs
  await timeline.run(isOver, healsAtMs)
  // No customer is active any more, so few rules can break. A short time is enough.
  await timeline.run(isBroken, Math.min(healsAtMs, timeline.nowMs + STAY_MS))

  faults.heal()
  for (const worker of world.allWorkers) worker.heal()
  for (const endpoint of world.endpoints) endpoint.heal()
  // Without faults one worker is enough. More workers would only slow the run down.
  for (const worker of world.workers.slice(1)) worker.retire()
  world.proverDownUntilMs = 0
  world.quietMs = QUIET_MS
  // Two hours are enough for deadlines, the delivery window, the time grid of refunds and some attempts. They are
  // enough even if the chain's clock is a quarter of an hour ahead. A clock that lags catches up at once.
  // `PAUSE_MAX_MS` is added because one more try may fail after the faults have ended: an account may stay closed until
  // later. The pause after that try may be the longest one, because jumps of wall clocks made many earlier tries fail.
  await timeline.run(isOver, timeline.nowMs + PAUSE_MAX_MS + 2 * HOUR_MS)
  // Waits until pending transactions have landed or expired, because the final check counts the landed transactions.
  if (!isBroken()) await timeline.run(isBroken, timeline.nowMs + 180_000)
  if (!isBroken()) finalCheck(world, stragglersOf(world), heldPayments(world))
  if (!isBroken()) await afterwards(world)
  return resultOf(options.seed, world, chain.ledger.landed.length)
}

function hasEnded(world: World): boolean {
  const isPlaced = world.customers.every(({ order, hasEnded }) => hasEnded || order !== undefined)
  if (!isPlaced || !world.owners.every(({ hasPaid }) => hasPaid)) return false
  const stragglers = stragglersOf(world)
  for (const [key, order] of world.memory.database.orders) {
    const status = statusOf(order)
    if (!isFinal(status) && stragglers.get(key) !== status) return false
  }
  const held = heldPayments(world)
  return [world.memory, world.rival?.stage.memory].every((memory) =>
    [...(memory?.database.payments ?? [])].every(
      ([key, one]) => isFinal(statusOf(one)) || held.has(key),
    ),
  )
}

function resultOf(seed: number, world: World, landed: number): RunResult {
  const orders = [...world.memory.database.orders.values()]
  const payments = [world.memory, world.rival?.stage.memory].flatMap((memory) => [
    ...(memory?.database.payments.values() ?? []),
  ])
  return {
    seed,
    digest: world.trace.digest,
    violation: world.watch.violation,
    customers: world.customers.length,
    orders: orders.length,
    statuses: countStatuses(orders),
    payments: countStatuses(payments),
    faults: world.faults.fired,
    events: world.timeline.steps,
    transactions: landed,
    costs: costsOf(world),
    lines: world.trace.lines,
  }
}

function costsOf({ chain }: World): RunResult['costs'] {
  const own = chain.ledger.landed
    .map(({ transaction }) => transaction)
    .filter((transaction) => unitPriceIn(transaction) !== undefined)
  const priority = own.reduce((sum, one) => sum + priorityOf(one), 0n)
  return { paid: own.length, priorityLamports: `${priority}` }
}

function countStatuses(
  rows: readonly (MemoryOrder | MemoryPayment)[],
): Partial<Record<OrderStatus, number>> {
  const counts: Partial<Record<OrderStatus, number>> = {}
  for (const row of rows) counts[statusOf(row)] = (counts[statusOf(row)] ?? 0) + 1
  return counts
}
