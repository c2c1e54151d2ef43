import { parseWhole, TIME_GRID_SECONDS } from '@sotto/protocol'
import { statusOf } from '../store/memory-database.ts'
import { noticeSecondsOf } from '../../packages/server/src/domain/balance.ts'
import { epochAt } from '../../packages/server/src/domain/epoch.ts'
import { decodePlan } from '../../packages/server/src/domain/order-secrets.ts'
import { isFinal } from '../../packages/server/src/domain/order-state.ts'
import { thawSender } from '../actors/break-recipient.ts'
import { RETENTION_MS, START_MS } from '../actors/setting.ts'
import { BLOCK_MS } from '../chain/fake-chain.ts'
import { unsealed } from '../run/keystore.ts'
import type { World } from '../run/world.ts'
import { finalCheck } from './final-check.ts'
import { endOf, heldPayments, longBalances, stragglersOf } from './stragglers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A period of virtual time, and the intervals of polls and blocks in it. */
interface Stage {
  readonly untilMs: number
  readonly pollMs: number
  readonly blockMs: number
}

const stage = (untilMs: number, pollMs: number): Stage => {
  return { untilMs, pollMs, blockMs: pollMs / 8 }
}

/**
 * The periods of the first days. Two keys must be destroyed, an hour apart, a day after the start. Polls are frequent
 * only from two hours before that time until two hours after it.
 *
 * When blocks become frequent again, the final block advances by six hours within minutes, which never happens on a
 * real chain. The cursor then catches up by only five slots a second, and the followed clock doesn't advance until the
 * cursor has caught up. Long balances must end after the cursor has caught up.
 */
const DAYS = [
  stage(START_MS + RETENTION_MS - 2 * HOUR_MS, DAY_MS / 4),
  stage(START_MS + RETENTION_MS + 2 * HOUR_MS, HOUR_MS / 2),
  // A balance may end on the third day. The service destroys its key a day later, at the second poll.
  stage(START_MS + 4 * DAY_MS, DAY_MS / 4),
]
const WEEKS = [stage(START_MS + 62 * DAY_MS, 20 * DAY_MS), stage(START_MS + 70 * DAY_MS, DAY_MS)]
/**
 * The length of the period in which the service pays refunds that have become possible. The period has some polls, and
 * blocks as frequent as transactions need.
 */
const REFUND_MS = 1_200_000

/**
 * Checks the days and weeks after the run. Keys must be destroyed although some orders can't end yet. These orders must
 * end as soon as they can. Rent must return to the wallet that paid it. Data that a destroyed key sealed must be
 * deleted. Balances must stay exact, and final statuses must not change.
 */
export async function afterwards(world: World): Promise<void> {
  const { watch, memory, keystore, customers } = world
  const before = new Map([...memory.database.orders].map(([key, order]) => [key, statusOf(order)]))
  const isBroken = () => watch.violation !== undefined
  world.rival?.worker.retire()
  for (const one of DAYS) {
    await pass(world, one)
    if (one === DAYS[0] && !isBroken()) checkVeterans(world)
    await endBalances(world)
  }
  if (isBroken()) return
  const first = (await keystore.list())[0] ?? Infinity
  const isHolding = hasHeldPayment(world)
  const isLate = first < epochAt(START_MS + RETENTION_MS)
  if (isLate && !isHolding) watch.fail('keys are destroyed', 'within days')
  const isUnfinished = stragglersOf(world).size > 0 || isHolding
  if (isUnfinished) {
    for (const customer of customers) if (customer.isStuck) thawSender(customer)
    const untilMs = world.timeline.nowMs + REFUND_MS
    await pass(world, { untilMs, pollMs: 60_000, blockMs: BLOCK_MS })
  }
  if (world.lastsWeeks || isUnfinished) await passWeeks(world, before)
  if (!isBroken()) finalCheck(world, new Map())
}

function hasHeldPayment(world: World): boolean {
  const { payments } = world.memory.database
  return [...heldPayments(world)].some((key) => {
    const payment = payments.get(key)
    return payment !== undefined && !isFinal(statusOf(payment))
  })
}

/**
 * If a balance is still open after a month, the service must give it a new key. The key may stay the same if the notice
 * of the balance's end was already due.
 */
function checkVeterans({ owners, memory, watch, chain }: World): void {
  for (const owner of owners.filter(({ isVeteran }) => isVeteran)) {
    const { order } = owner
    const row = memory.database.orders.get(order?.key ?? '')
    const plan = row?.settlement?.sealedPlan
    if (order === undefined || row === undefined || plan === undefined) continue
    if (isFinal(statusOf(row)) || row.sealEpoch !== undefined) continue
    // The owner may have postponed the end by payments without the service. The service doesn't know of these payments,
    // so this check uses the end in the service's plan.
    const end = decodePlan(unsealed(plan)).note?.expiry ?? order.note.expiry
    const noticeSeconds = noticeSecondsOf(order.note.expiry - order.note.deadline)
    if (chain.newest.unixSeconds >= end - noticeSeconds) continue
    watch.fail('a balance that is open for a month gets another key', order.key)
  }
}

async function passWeeks(world: World, before: ReadonlyMap<string, string>): Promise<void> {
  const { watch, keystore } = world
  for (const one of WEEKS) await pass(world, one)
  if (watch.violation !== undefined) return
  if ((await keystore.list()).length > 0) watch.fail('keys are destroyed', 'within weeks')
  checkRents(world)
  checkOrders(world, before)
}

/**
 * Advances the time past the ends of all balances that live for a day. Polls and blocks are frequent enough for the
 * refunds.
 */
async function endBalances(world: World): Promise<void> {
  const expiries = longBalances(world).flatMap((owner) => endOf(owner) ?? [])
  if (expiries.length === 0) return
  const last = expiries.reduce((max, expiry) => (expiry > max ? expiry : max))
  const first = expiries.reduce((min, expiry) => (expiry < min ? expiry : min))
  // Little happens until the last hours. The followed clock needs some of the last hours to catch up.
  const longMs = 3 * HOUR_MS
  const nearMs = parseWhole(`${first * 1_000n}`) - 4 * HOUR_MS
  await pass(world, { untilMs: nearMs, pollMs: longMs, blockMs: longMs / 8 })
  // A refund is possible only from the first grid time after the expiry.
  const refundableMs = parseWhole(`${(last + TIME_GRID_SECONDS) * 1_000n}`)
  const pollMs = HOUR_MS / 2
  await pass(world, { untilMs: refundableMs, pollMs, blockMs: pollMs / 8 })
  const untilMs = world.timeline.nowMs + REFUND_MS
  await pass(world, { untilMs, pollMs: 60_000, blockMs: BLOCK_MS })
}

async function pass(world: World, { untilMs, pollMs, blockMs }: Stage): Promise<void> {
  const { timeline, watch, chain, workers } = world
  if (untilMs <= timeline.nowMs) return
  chain.stretchBlocks(blockMs)
  world.quietMs = pollMs
  // The worker restarts, because a worker in a pause of days would miss the coming events.
  workers[0]?.restart()
  await timeline.run(() => watch.violation !== undefined, untilMs)
}

function checkRents({ chain: { ledger }, watch }: World): void {
  for (const key of ledger.orders.keys()) {
    if (ledger.orders.read(key, Infinity)) watch.fail('all rent is returned', 'order')
  }
  for (const key of ledger.nullifiers.keys()) {
    if (ledger.nullifiers.read(key, Infinity)) watch.fail('all rent is returned', 'nullifier')
  }
}

function checkOrders({ memory, watch }: World, before: ReadonlyMap<string, string>): void {
  const { cursor, areBooksAgreeing } = memory.database
  if (cursor?.halted !== undefined) watch.fail('halts can be lifted', String(areBooksAgreeing))
  for (const [key, order] of memory.database.orders) {
    const was = before.get(key)
    const isSame = statusOf(order) === was || was === 'refunding' || was === 'deposited'
    if (!isSame) watch.fail('a status never goes back', 'weeks later')
    if (!isFinal(order.status)) watch.fail('every order gets a final status', order.status)
    const isCleared = order.sealedTerms.length === 0 && order.sealedResponse.length === 0
    if (!isCleared) watch.fail('data that a destroyed key sealed is cleared', key)
  }
}
