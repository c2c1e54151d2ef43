import { floorToGrid, unixSeconds } from '@sotto/protocol'
import type { BalanceOwner } from './balance-owner.ts'
import { copyLeaf } from './copy-leaf.ts'
import { payAlike } from './pay-alike.ts'
import { isPaid, payDeposit } from './pay-deposit.ts'
import { payOnce } from './pay-from-balance.ts'
import { placeOrder } from './place-order.ts'
import { pollStatus } from './poll-status.ts'
import { secondsOf } from './seconds-of.ts'
import { submitSettlement } from './submit-settlement.ts'

const FIRST_MS = 300_000
const PAYMENTS_MAX = 3
const VETERAN_PAYMENTS = 8
/** The share of owners with two balances who run `copyLeaf`. The other owners with two balances run `payAlike`. */
const COPIES = 0.5
const POLL_MS = 20_000
const DAY_SECONDS = 86_400n
/** An owner starts no new payment within this many seconds before a note's expiry. */
const LAST_SECONDS = 700n
const REFUNDS = 10
/**
 * The program accepts a refund only with a public time on a fixed grid, after the note's expiry. The first possible
 * time is at most ten minutes after the expiry.
 */
const GRID_MS = 600_000

/** Lets an owner open a balance, pay out of it, and wait for its end. */
export function startOwner(owner: BalanceOwner): void {
  const { stage, random } = owner
  stage.timeline.after(random.below(FIRST_MS), () => {
    useBalance(owner).catch((error: unknown) => stage.watch.fail('owner', String(error)))
  })
}

/** Lets the owner of a balance from before the run pay out of it, and wait for its end. */
export function startVeteran(owner: BalanceOwner): void {
  const { stage, random, order } = owner
  if (order === undefined) return
  stage.timeline.after(random.below(FIRST_MS), () => {
    live(owner, { polled: pollStatus(owner, order) }).catch((error: unknown) =>
      stage.watch.fail('owner', String(error)),
    )
  })
}

/** Lets an owner open two equal balances at once. Then lets the owner try to leave the same change in both. */
export function startTwins(owner: BalanceOwner, twin: BalanceOwner): void {
  const { stage, random } = owner
  const owners = [owner, twin] as const
  const isCopying = stage.random.stream(`${owner.name} copies`).chance(COPIES)
  const work = async () => {
    const [first, second] = await Promise.all([open(owner), open(twin)])
    const notes = await Promise.all(owners.map(decided))
    const [one, two] = notes
    if (one !== undefined && two !== undefined) {
      if (isCopying) await copyLeaf(owners, [one, two])
      else await payAlike(owners, [one, two])
    }
    const rests = isCopying ? rest(owner, first) : live(owner, first)
    await Promise.all([rests, live(twin, second)])
  }
  stage.timeline.after(random.below(FIRST_MS), () => {
    work().catch((error: unknown) => stage.watch.fail('owner', String(error)))
  })
}

async function useBalance(owner: BalanceOwner): Promise<void> {
  await live(owner, await open(owner))
}

/** The polling of an order's status. `polled` resolves when the order has ended. */
interface Polled {
  readonly polled: Promise<void>
}

/** Orders a balance and pays its deposit; undefined if the service refused the order. */
async function open(owner: BalanceOwner): Promise<Polled | undefined> {
  const order = await placeOrder(owner)
  owner.order = order
  if (order === undefined) return undefined
  const polled = pollStatus(owner, order)
  await payDeposit(owner, order)
  return { polled }
}

/** Makes no payment, and waits until the service has ended the balance's order. */
async function rest(owner: BalanceOwner, opened: Polled | undefined): Promise<void> {
  owner.hasPaid = true
  await opened?.polled
}

/** Pays out of a balance, and waits for the balance's end. */
async function live(owner: BalanceOwner, opened: Polled | undefined): Promise<void> {
  const { order } = owner
  if (order === undefined || opened === undefined) {
    owner.hasPaid = true
    return
  }
  if (isPaid(owner, order)) await payAll(owner)
  const ended = Promise.all(owner.polls).then(() => {
    owner.hasPaid = true
  })
  if (isPaid(owner, order)) await takeBack(owner)
  await Promise.all([ended, opened.polled])
}

/** Makes some payments. Starts each payment only after the previous one has landed or can't land any more. */
async function payAll(owner: BalanceOwner): Promise<void> {
  const { random, stage } = owner
  // A veteran makes a fixed number of payments, so that some of the payments coincide with the replacement of the
  // balance's key.
  const count = owner.isVeteran ? VETERAN_PAYMENTS : random.between(0, PAYMENTS_MAX)
  if (owner.movesEnd) await stage.timeline.pause(untilNextDayMs(owner))
  for (let paid = 0; paid <= count; paid += 1) {
    const newest = await decided(owner)
    if (newest === undefined || newest.note.value === 0n) return
    const { unixSeconds: clock } = stage.chain.newest
    if (clock + LAST_SECONDS > newest.note.expiry) return
    // Some owners make one more payment, which takes everything that is left.
    if (paid === count && random.chance(0.6)) return
    await payOnce(owner, newest, paid === count)
    await decided(owner)
    await stage.timeline.pause(random.below(60_000))
  }
}

/** The time until the next day by the chain's clock, plus a random delay of up to `FIRST_MS`, in milliseconds. */
function untilNextDayMs({ random, stage }: BalanceOwner): number {
  const leftSeconds = DAY_SECONDS - (stage.chain.newest.unixSeconds % DAY_SECONDS)
  return secondsOf(leftSeconds) * 1_000 + random.below(FIRST_MS)
}

/**
 * Waits until the newest final note is spent, or until the signatures of all payments out of it have expired. Returns
 * the note; undefined if the note is spent, or if the balance has no deposit.
 */
async function decided(owner: BalanceOwner) {
  const { timeline } = owner.stage
  for (;;) {
    const newest = owner.newest('finalized')
    const isGone = newest === undefined && !isPaidYet(owner)
    if (isGone) return undefined
    if (newest !== undefined && owner.isDecided(newest)) {
      return newest.spentBy === undefined ? newest : undefined
    }
    await timeline.pause(POLL_MS)
  }
}

const isPaidYet = (owner: BalanceOwner): boolean =>
  owner.order !== undefined && isPaid(owner, owner.order)

/**
 * After the balance's end, takes the rest back without the service. Some owners never do this, and then only the
 * service can return the rest.
 */
async function takeBack(owner: BalanceOwner): Promise<void> {
  const { random, stage, sender, order } = owner
  const isLeft = random.chance(owner.isReturned ? 0.6 : 0.3)
  if (order === undefined || isLeft) return
  const leftMs = secondsOf(order.note.expiry - stage.chain.newest.unixSeconds) * 1_000
  await stage.timeline.pause(Math.max(0, leftMs) + random.between(GRID_MS, GRID_MS + 300_000))
  for (let refunds = 0; refunds < REFUNDS; refunds += 1) {
    const newest = owner.newest('finalized')
    if (newest === undefined || newest.spentBy !== undefined || newest.note.value === 0n) return
    const time = floorToGrid(stage.chain.newest.unixSeconds)
    if (time > newest.note.expiry) {
      submitSettlement(stage, sender, newest, { kind: 'refund', time: unixSeconds(time) })
    }
    await stage.timeline.pause(random.between(POLL_MS, 4 * POLL_MS))
  }
}
