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
  /** A digest of every event: equal for equal runs. */
  readonly digest: string
  readonly violation: Violation | undefined
  readonly customers: number
  readonly orders: number
  readonly statuses: Partial<Record<OrderStatus, number>>
  /** Payments out of balances by status, those of the other service included. */
  readonly payments: Partial<Record<OrderStatus, number>>
  readonly faults: Partial<Record<FaultKind, number>>
  readonly events: number
  readonly transactions: number
  /**
   * The services' transactions that came into a block: their number, and their priority fees in lamports. The fees are
   * digits, because results pass between processes.
   */
  readonly costs: { readonly paid: number; readonly priorityLamports: string }
  readonly lines: readonly TraceLine[]
}

const DISTURB_MS = 10_000
const HOUR_MS = 3_600_000
/** Events between two checks whether all orders have ended. */
const ENDED_EVERY = 32
/** The polling interval in quiet times. */
const QUIET_MS = 60_000
/** Time for which faults continue after the last order's end, to test final orders too. */
const STAY_MS = 120_000

/**
 * Runs one seed: first with faults, then without them until every order has ended, then for some quiet weeks.
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
  // This check takes longer than most events, so it isn't made after each event.
  const isOver = () => isBroken() || (timeline.steps % ENDED_EVERY === 0 && hasEnded(world))
  const healsAtMs = timeline.nowMs + world.faultyMs
  await timeline.run(isOver, healsAtMs)
  // Without active customers, little can break.
  await timeline.run(isBroken, Math.min(healsAtMs, timeline.nowMs + STAY_MS))

  faults.heal()
  for (const worker of world.allWorkers) worker.heal()
  for (const endpoint of world.endpoints) endpoint.heal()
  // Without faults one worker is enough, and the others would take most of the time of a run.
  for (const worker of world.workers.slice(1)) worker.retire()
  world.proverDownUntilMs = 0
  world.quietMs = QUIET_MS
  // Two hours cover deadlines, the delivery window, a refund's time grid and some attempts, even if the chain's clock
  // is a quarter of an hour ahead. (If it is behind, it catches up at once.) A try may still fail after the faults have
  // ended, because an account is closed until later. The pause after it may be the longest one, because jumps of wall
  // clocks have made many tries fail.
  await timeline.run(isOver, timeline.nowMs + PAUSE_MAX_MS + 2 * HOUR_MS)
  // Pending transactions land or expire before anything is counted.
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
