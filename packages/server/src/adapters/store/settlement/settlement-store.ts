import type { OrderStatus } from '../../../domain/order-state.ts'
import type {
  Lease,
  Outcome,
  SettlementStore,
  PayStore,
  UpkeepStore,
} from '../../../ports/settlement-store.ts'
import { bytesOf } from '../column-values.ts'
import { newEvent, newNotice, writeEvents, type NewEvent } from '../outbox/new-event.ts'
import { listOverdue, prepareEvents } from '../outbox/prepare-events.ts'
import { wholeNumber } from '../../../domain/whole-number.ts'
import type { StatusNotifier } from '../status-notifier.ts'
import { withNamedStatements } from '../name-statements.ts'
import type { Database } from '../sql.ts'
import {
  tryBeginRefund,
  tryComplete,
  insertAttempt,
  tryMarkDead,
  type CompletedPlans,
} from './attempts.ts'
import { forgetReplaced } from './forget-plans.ts'
import { nextPlan, readNewestPlan, unlessReplaced } from './plans.ts'
import { ATTEMPT_STATUSES, isTriedRefund } from '../../../domain/order-state.ts'
import { tryClaim, releaseLease, tryRenewLease, tryReplacePlan } from './leases.ts'
import {
  clearEpoch,
  dropSettled,
  listCompleteEpochs,
  readEpochEnd,
  tryReseal,
  writeCompleteEpochs,
} from './epochs.ts'
import { halt, openCursor, readCursor } from './cursor.ts'
import { listEnding } from './ending.ts'
import {
  forgetExplained,
  listDeposits,
  readExplained,
  recordExplained,
} from './explained-leaves.ts'
import { readLeaves } from './leaves.ts'
import { sqlHealthStore } from './health-store.ts'
import { sqlPriceStore } from './price-store.ts'
import { recordPaid } from '../paid-payees.ts'
import { readShown } from '../read-shown.ts'
import { readTariffs } from '../tariff-store.ts'
import { openOrdersLister } from './list-open.ts'
import { openPaymentsLister } from './open-payments.ts'
import {
  listArrived,
  listUnlocated,
  markSeen,
  readAwaiting,
  recordLocated,
  listSeen,
  clearSeen,
} from './awaiting.ts'
import {
  findNamedOrder,
  isUnplaced,
  type NamedOrder,
  pseudonymOf,
  type PseudonymSecrets,
  VANISHED,
} from './pseudonym.ts'
import { tryRecord } from './record-batch.ts'
import { listVanished, tryExpireVanished } from './vanished.ts'

/** Creates settlement's store on a SQL database. It needs the secrets to compute the pseudonyms of orders. */
export function createSettlementStore(
  given: Database,
  secrets: PseudonymSecrets,
  notifier?: StatusNotifier,
): SettlementStore {
  const database = withNamedStatements(given)
  return {
    openCursor: (program, domain, nowMs) => openCursor(database, program, domain, nowMs),
    readCursor: () => readCursor(database),
    readLeaves: (from, countMax) => readLeaves(database, from, countMax),
    readAwaiting: (leaves) => readAwaiting(database, leaves),
    listArrived: (unixSeconds) => listArrived(database, unixSeconds),
    tryRecord: async (batch, nowMs) => {
      const overdue = await listOverdue(database, batch)
      const prepared = notifier && (await prepareEvents(database, secrets, batch, overdue, nowMs))
      const ids = overdue.map(({ id }) => bytesOf(id))
      const events = await tryRecord(database, batch, ids, nowMs, prepared)
      if (events !== undefined && events.length > 0)
        notifier?.notify(events.map(({ name }) => name))
      return events !== undefined
    },
    markSeen: (leaves, nowMs) => markSeen(database, leaves, nowMs),
    listSeen: () => listSeen(database),
    clearSeen: (leaves, nowMs) => clearSeen(database, leaves, nowMs),
    listUnlocated: (limit) => listUnlocated(database, limit),
    recordLocated: (orderId, found) => recordLocated(database, orderId, found),
    ...payStore(database, secrets, notifier),
    ...upkeepStore(database, secrets, notifier),
    ...sqlHealthStore(database),
    ...sqlPriceStore(database),
  }
}

function payStore(
  database: Database,
  secrets: PseudonymSecrets,
  notifier: StatusNotifier | undefined,
): PayStore {
  const named: WithName = async (orderId, none, work) => {
    const found = await findNamedOrder(database, secrets, orderId)
    return found === undefined ? none : work(found.pseudonym, found)
  }
  /**
   * Runs a write that changes an order's status. The write gets the event for the outbox. If the write succeeds,
   * announces the event.
   */
  const changing = async (
    order: NamedOrder,
    status: OrderStatus,
    write: (events: NewEvent[]) => Promise<boolean>,
  ) => {
    const events = notifier === undefined ? [] : [newEvent(order, status, notifier.clock.nowMs())]
    const isWritten = await write(events)
    if (isWritten) notifier?.notify(events.map(({ name }) => name))
    return isWritten
  }
  return {
    listOpen: openOrdersLister(database, secrets),
    isUnplaced: (orderId) => isUnplaced(database, orderId),
    listPayments: openPaymentsLister(database, secrets),
    readShown: (since) => readShown(database, since),
    readTariffs: () => readTariffs(database),
    ...leaseStore(database, named),
    tryJournal: ({ orderId, fence }, attempt) =>
      named(orderId, false, (name, order) =>
        isTriedRefund(attempt)
          ? insertAttempt(database, name, fence, attempt)
          : changing(order, ATTEMPT_STATUSES[attempt.kind].to, (events) =>
              insertAttempt(database, name, fence, attempt, events),
            ),
      ),
    tryMarkDead: ({ orderId, epoch }, number, plans) =>
      named(orderId, false, async (name, order) => {
        if (order.epoch !== epoch) return false
        const plan = plans && (await nextPlan(database, order, plans.readPlan, plans.sealedPlan))
        return tryMarkDead(database, name, number, plan)
      }),
    tryBeginRefund: ({ orderId, fence }, sealedPlan, readPlan) =>
      named(orderId, false, async (name, order) => {
        const plan = await nextPlan(database, order, readPlan, sealedPlan)
        if (plan === undefined) return false
        return changing(order, 'refunding', (events) =>
          unlessReplaced(() => tryBeginRefund(database, name, fence, plan, events)),
        )
      }),
    tryReplacePlan: ({ orderId, fence }, sealedPlan, readPlan) =>
      named(orderId, false, async (name, order) => {
        const plan = await nextPlan(database, order, readPlan, sealedPlan)
        return plan !== undefined && tryReplacePlan(database, name, fence, plan)
      }),
    tryComplete: (outcome, nowMs) =>
      named(outcome.orderId, false, async (_, order) => {
        if (order.epoch !== outcome.epoch) return false
        const plans = await completedPlans(database, secrets, order, outcome)
        if (plans === undefined) return false
        return changing(order, outcome.to, (events) =>
          unlessReplaced(() => tryComplete(database, order, outcome, nowMs, events, plans)),
        )
      }),
  }
}

/** Runs work with an order's pseudonym. Returns `none` if the order can't be found or its epoch's key is destroyed. */
type WithName = <T>(
  orderId: Uint8Array,
  none: T,
  work: (name: string, order: NamedOrder) => Promise<T>,
) => Promise<T>

/**
 * Remembers the pseudonym under which each lease was claimed. A lease becomes invalid when the order gets another
 * pseudonym.
 */
function leaseStore(
  database: Database,
  named: WithName,
): Pick<PayStore, 'tryClaim' | 'tryRenew' | 'release'> {
  const names = new WeakMap<Lease, string>()
  const leased = async <T>(lease: Lease, none: T, work: (name: string) => Promise<T>) => {
    const name = names.get(lease)
    return name === undefined ? named(lease.orderId, none, work) : work(name)
  }
  return {
    tryClaim: (orderId, owner, nowMs, untilMs) =>
      named(orderId, undefined, async (name, order) => {
        const fence = await tryClaim(database, name, owner, nowMs, untilMs)
        if (fence === undefined) return undefined
        const { epoch } = order
        const plan = (await readNewestPlan(database, order))?.sealed ?? new Uint8Array(0)
        const lease = { orderId, fence, epoch, plan }
        names.set(lease, name)
        return lease
      }),
    tryRenew: (lease, untilMs) =>
      leased(lease, false, (name) => tryRenewLease(database, name, lease.fence, untilMs)),
    release: (lease) =>
      leased(lease, undefined, (name) => releaseLease(database, name, lease.fence)),
  }
}

const BALANCE_RESEALED = 'a balance was resealed while its payment completed'

/**
 * Prepares the plans that are written when an order ends: see `CompletedPlans`. Returns undefined if the order is a
 * balance whose plan has changed since it was read.
 *
 * @throws Error if the balance of a payment was moved to another epoch's key since it was read. Then the payment stays
 * open and is tried again.
 */
async function completedPlans(
  database: Database,
  secrets: PseudonymSecrets,
  order: NamedOrder,
  { paidFrom, balance }: Pick<Outcome, 'paidFrom' | 'balance'>,
): Promise<CompletedPlans | undefined> {
  const lastPlan = balance && (await nextPlan(database, order, balance.plan))
  if (balance !== undefined && lastPlan === undefined) return undefined
  if (paidFrom === undefined) return { lastPlan }
  const from = await findNamedOrder(database, secrets, paidFrom.orderId)
  if (from === undefined) throw new Error('the order of an open balance cannot be read')
  // The new plan is sealed under the balance's old key, which is destroyed soon.
  if (from.epoch !== paidFrom.epoch) throw new Error(BALANCE_RESEALED)
  const plan = await nextPlan(database, from, paidFrom.plan, paidFrom.sealedPlan)
  return { lastPlan, paidFrom: { pseudonym: from.pseudonym, plan } }
}

function upkeepStore(
  database: Database,
  secrets: PseudonymSecrets,
  notifier: StatusNotifier | undefined,
): UpkeepStore {
  return {
    listVanished: (endedBefore) => listVanished(database, endedBefore),
    listEnding: (unixSeconds) => listEnding(database, unixSeconds),
    tryNoticeEnd: async ({ orderId, end, isRenewed }, isOpen, nowMs) => {
      if (notifier === undefined) return true
      const order = await findNamedOrder(database, secrets, orderId)
      if (order === undefined) return false
      const endsAtMs = wholeNumber(end) * 1_000
      await writeEvents(database, [newNotice(order, { endsAtMs, isRenewed, isOpen }, nowMs)])
      return true
    },
    tryExpireVanished: async (orderId, nowMs) => {
      const order = await findNamedOrder(database, secrets, orderId, VANISHED)
      if (order === undefined) return false
      const late = { ...order, wasDeposited: true }
      const events =
        notifier === undefined ? [] : [newEvent(late, 'expired', notifier.clock.nowMs())]
      const isDone = await tryExpireVanished(database, order.pseudonym, orderId, nowMs, events)
      if (isDone) notifier?.notify(events.map(({ name }) => name))
      return isDone
    },
    halt: (reason) => halt(database, reason),
    readExplained: () => readExplained(database),
    recordExplained: (explained) => recordExplained(database, explained),
    recordPaid: (payees) => recordPaid(database, payees),
    forgetExplained: (leafIndex) => forgetExplained(database, leafIndex),
    listDeposits: (from) => listDeposits(database, from),
    readEpochEnd: (epoch) => readEpochEnd(database, secrets, epoch),
    tryReseal: async (lease, resealed, nowMs) => {
      const from = await findNamedOrder(database, secrets, lease.orderId)
      const to = await pseudonymOf(secrets, resealed.epoch, lease.orderId)
      if (from === undefined || to === undefined) return false
      const lastPlan = await nextPlan(database, from, resealed.plan)
      if (lastPlan === undefined) return false
      const move = { from: from.pseudonym, to, lastPlan }
      return unlessReplaced(() =>
        tryReseal(database, move, lease.orderId, lease.fence, resealed, nowMs),
      )
    },
    listCompleteEpochs: () => listCompleteEpochs(database),
    writeCompleteEpochs: (epochs) => writeCompleteEpochs(database, epochs),
    clearEpoch: (epoch) => clearEpoch(database, secrets, epoch),
    dropSettled: (beforeMs) => dropSettled(database, beforeMs),
    forgetReplacedPlans: () => forgetReplaced(database, secrets),
  }
}
