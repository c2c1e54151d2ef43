import { statusOf } from '../store/memory-database.ts'
import { epochAt } from '../../packages/server/src/domain/epoch.ts'
import { isFinal } from '../../packages/server/src/domain/order-state.ts'
import { thawSender } from '../actors/break-recipient.ts'
import { RETENTION_MS, START_MS } from '../actors/setting.ts'
import { BLOCK_MS } from '../chain/fake-chain.ts'
import type { World } from '../run/world.ts'
import { finalCheck } from './final-check.ts'
import { stragglersOf } from './stragglers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A period, and the intervals of polls and blocks in it. */
interface Stage {
  readonly untilMs: number
  readonly pollMs: number
  readonly blockMs: number
}

const stage = (untilMs: number, pollMs: number): Stage => {
  return { untilMs, pollMs, blockMs: pollMs / 8 }
}

/** Polls are frequent only while the first keys are destroyed, an hour apart. */
const DAYS = [
  stage(START_MS + RETENTION_MS, DAY_MS / 2),
  stage(START_MS + RETENTION_MS + 2 * HOUR_MS, HOUR_MS / 3),
  stage(START_MS + 4 * DAY_MS, DAY_MS / 2),
]
const WEEKS = [stage(START_MS + 66 * DAY_MS, 3 * DAY_MS), stage(START_MS + 70 * DAY_MS, DAY_MS / 2)]
/**
 * The period for refunds that have become possible: some polls, and blocks as frequent as transactions need.
 */
const REFUND_MS = 1_200_000

/**
 * Checks the days and weeks after the run. Keys are destroyed although some orders can't end yet. Once
 * those orders can end, they do. Rent has returned to its payer, the data that the keys sealed is deleted,
 * every balance is still exact, and final statuses haven't changed.
 */
export async function afterwards(world: World): Promise<void> {
  const { watch, memory, keystore, customers } = world
  const before = new Map([...memory.database.orders].map(([key, order]) => [key, statusOf(order)]))
  const isBroken = () => watch.violation !== undefined
  // One worker is enough without faults.
  for (const worker of world.workers.slice(1)) worker.retire()
  for (const one of DAYS) await pass(world, one)
  if (isBroken()) return
  const first = (await keystore.list())[0] ?? Infinity
  if (first < epochAt(START_MS + RETENTION_MS)) watch.fail('keys die', 'within days')
  if (stragglersOf(world).size > 0) {
    for (const customer of customers) if (customer.isStuck) thawSender(customer)
    const untilMs = world.timeline.nowMs + REFUND_MS
    await pass(world, { untilMs, pollMs: 60_000, blockMs: BLOCK_MS })
  }
  for (const one of WEEKS) await pass(world, one)
  if (isBroken()) return
  if ((await keystore.list()).length > 0) watch.fail('keys die', 'within weeks')
  checkRents(world)
  checkOrders(world, before)
  finalCheck(world, new Set())
}

async function pass(world: World, { untilMs, pollMs, blockMs }: Stage): Promise<void> {
  const { timeline, watch, chain, workers } = world
  if (untilMs <= timeline.nowMs) return
  chain.stretchBlocks(blockMs)
  world.quietMs = pollMs
  // A process that is still in a pause of days would miss the coming events.
  workers[0]?.restart()
  await timeline.run(() => watch.violation !== undefined, untilMs)
}

function checkRents({ chain: { ledger }, watch }: World): void {
  for (const key of ledger.orders.keys()) {
    if (ledger.orders.read(key, Infinity)) watch.fail('rent comes back', 'order')
  }
  for (const key of ledger.nullifiers.keys()) {
    if (ledger.nullifiers.read(key, Infinity)) watch.fail('rent comes back', 'nullifier')
  }
}

function checkOrders({ memory, watch }: World, before: ReadonlyMap<string, string>): void {
  const { cursor, areBooksAgreeing } = memory.database
  if (cursor?.halted !== undefined) watch.fail('halts can be lifted', String(areBooksAgreeing))
  for (const [key, order] of memory.database.orders) {
    const isSame = statusOf(order) === before.get(key) || before.get(key) === 'refunding'
    if (!isSame) watch.fail('a status never goes back', 'weeks later')
    if (!isFinal(order.status)) watch.fail('ends are written down', order.status)
    const isCleared = order.sealedTerms.length === 0 && order.sealedResponse.length === 0
    if (!isCleared) watch.fail('what dead keys sealed is cleared', key)
  }
}
