import { livesLikeBalance } from '../../packages/server/src/domain/balance.ts'
import { epochStartMs } from '../../packages/server/src/domain/epoch.ts'
import { isLeaseHeld } from '../../packages/server/src/domain/lease.ts'
import {
  ATTEMPT_STATUSES,
  canBecome,
  EXPIRING_PAYMENT,
  isFinal,
  isTriedRefund,
  TRIED_REFUND,
  type OrderStatus,
} from '../../packages/server/src/domain/order-state.ts'
import type {
  Lease,
  OpenOrder,
  OpenPayment,
  Outcome,
  PayStore,
} from '../../packages/server/src/ports/settlement-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import { end, free, liveOf, newSettlement } from './delivery-side.ts'
import { showSettlement, shownValues } from './shown-values.ts'
import { notifyChange } from './memory-outbox.ts'
import {
  endHourOf,
  epochOf,
  isInTree,
  isOpen,
  isOpenPayment,
  keyOf,
  statusOf,
  type MemoryDatabase,
  type MemoryOrder,
  type MemoryPayment,
  type MemorySettlement,
} from './memory-database.ts'

/** The state of settlements, in memory. */
export function memoryPayStore(database: MemoryDatabase, notifier?: StatusNotifier): PayStore {
  return {
    listPayments: async () =>
      [...database.payments.values()].filter(isOpenPayment).map(openPaymentOf),
    readShown: async (since) => shownValues(database, since),
    readTariffs: async () => new Map([...database.assets.values()].map((one) => [one.mint, one])),
    listOpen: async (which = 'all') => {
      const ids = typeof which === 'string' ? undefined : new Set(which.map(keyOf))
      const isAsked = (order: MemoryOrder) =>
        ids === undefined
          ? which === 'all' || mayHaveWork(database, order)
          : ids.has(keyOf(order.id))
      const open = [...database.orders.values()].filter((one) => isOpen(one) && isAsked(one))
      return open
        .map(openOf)
        .filter(({ attempt }) => which !== 'attempted' || attempt !== undefined)
    },
    isUnplaced: async (orderId) => {
      const order = database.orders.get(keyOf(orderId))
      const { status, leafIndex } = order ?? {}
      return status === 'awaiting_deposit' || (status === 'deposited' && leafIndex === undefined)
    },
    tryMarkDead: async ({ orderId, epoch }, number, plans) => {
      const order = settling(database, orderId)
      const side = order?.settlement
      if (order === undefined || side === undefined) return false
      if (epochOf(order) !== epoch || !end(side, number, 'dead')) return false
      if (plans !== undefined && isNewest(order, plans.readPlan)) side.sealedPlan = plans.sealedPlan
      return true
    },
    ...leases(database),
    ...writesUnderLease(database, notifier),
    ...endings(database, notifier),
  }
}

const NOTHING = new Uint8Array(0)
/** A balance may need work during this many seconds after its deposit. */
const FIRST_SECONDS = 3_600n

/** False for a balance that needs no work until its first note has expired. The PostgreSQL store has the same rule. */
function mayHaveWork({ cursor }: MemoryDatabase, order: MemoryOrder): boolean {
  const { expiry, deposit, sealedPlan = NOTHING } = order
  if (!livesLikeBalance(order) || cursor === undefined) return true
  const isNew = deposit !== undefined && deposit.unixSeconds > cursor.unixSeconds - FIRST_SECONDS
  return sealedPlan.length === 0 || expiry < cursor.unixSeconds || isNew
}

/**
 * The order if its note is in the tree, or the payment if it was signed. Undefined in all other cases, such as after
 * the epoch was cleared.
 */
function settling(
  database: MemoryDatabase,
  orderId: Uint8Array,
): MemoryOrder | MemoryPayment | undefined {
  const order = database.order(orderId)
  if (order !== undefined) return isInTree(order) ? order : undefined
  const payment = database.payment(orderId)
  return payment?.status === 'delivering' ? payment : undefined
}

/** The settlement state of a lease's order; undefined if a newer lease exists. */
function held(database: MemoryDatabase, { orderId, fence }: Lease): MemorySettlement | undefined {
  const settlement = settling(database, orderId)?.settlement
  return settlement?.leaseFence === fence ? settlement : undefined
}

/**
 * The newest plan. This is the plan that settlement wrote under the order's current key. If settlement wrote none, it
 * is the order's first plan.
 */
const newestPlan = ({ settlement, sealedPlan }: MemoryOrder | MemoryPayment): Uint8Array =>
  settlement?.sealedPlan ?? sealedPlan ?? new Uint8Array(0)

/** True if `plan`, which the caller read earlier, is still the newest plan. */
const isNewest = (order: MemoryOrder | MemoryPayment | undefined, plan: Uint8Array): boolean =>
  order !== undefined && Buffer.compare(newestPlan(order), plan) === 0

function leases(database: MemoryDatabase): Pick<PayStore, 'tryClaim' | 'tryRenew' | 'release'> {
  return {
    tryClaim: async (orderId, owner, nowMs, untilMs) => {
      const order = settling(database, orderId)
      if (order === undefined || isFinal(statusOf(order))) return undefined
      const side = order.settlement ?? newSettlement('deposited')
      if (liveOf(side) !== undefined) return undefined
      if (isLeaseHeld(side.leaseUntilMs, nowMs, untilMs - nowMs)) return undefined
      order.settlement = side
      side.leaseOwner = owner
      side.leaseUntilMs = untilMs
      side.leaseFence += 1n
      const plan = newestPlan(order)
      return { orderId, fence: side.leaseFence, epoch: epochOf(order), plan }
    },
    tryRenew: async (lease, untilMs) => {
      const side = held(database, lease)
      if (side?.leaseOwner === undefined) return false
      side.leaseUntilMs = untilMs
      return true
    },
    release: async (lease) => {
      const side = held(database, lease)
      if (side !== undefined) free(side)
    },
  }
}

function writesUnderLease(
  database: MemoryDatabase,
  notifier: StatusNotifier | undefined,
): Pick<PayStore, 'tryJournal' | 'tryBeginRefund' | 'tryReplacePlan'> {
  return {
    tryJournal: async (lease, journalled) => {
      const { kind, sealed } = journalled
      const isTrial = isTriedRefund(journalled)
      const side = held(database, lease)
      const { from, to } = ATTEMPT_STATUSES[kind]
      if (side === undefined || liveOf(side) !== undefined) return false
      if (!(isTrial ? TRIED_REFUND : from).includes(side.status)) return false
      if (!isTrial) side.status = to
      const number = 1 + Math.max(0, ...side.attempts.map((attempt) => attempt.number))
      side.attempts.push({ number, kind, sealed, state: 'live' })
      if (isTrial) return true
      notifyChange(database, notifier, settling(database, lease.orderId), to)
      return true
    },
    tryBeginRefund: async (lease, sealedPlan, readPlan) => {
      const side = held(database, lease)
      if (side === undefined || liveOf(side) !== undefined) return false
      if (!isNewest(settling(database, lease.orderId), readPlan)) return false
      if (!canBecome(side.status, 'refunding')) return false
      side.status = 'refunding'
      side.sealedPlan = sealedPlan
      notifyChange(database, notifier, database.order(lease.orderId), 'refunding')
      return true
    },
    tryReplacePlan: async (lease, sealedPlan, readPlan) => {
      const side = held(database, lease)
      if (!isNewest(settling(database, lease.orderId), readPlan)) return false
      if (side === undefined) return false
      side.sealedPlan = sealedPlan
      return true
    },
  }
}

function endings(
  database: MemoryDatabase,
  notifier: StatusNotifier | undefined,
): Pick<PayStore, 'tryComplete'> {
  return {
    tryComplete: async (outcome, nowMs) => {
      const { orderId, to, sealedOutcome, attempt, balance, paidFrom } = outcome
      const order = settling(database, orderId)
      if (order === undefined) return false
      const side = order.settlement ?? newSettlement('deposited')
      if (!canEnd(side.status, to)) return false
      if (liveOf(side) !== undefined && liveOf(side)?.number !== attempt?.number) return false
      if (epochOf(order) !== outcome.epoch) return false
      if (balance !== undefined && !isNewest(order, balance.plan)) return false
      if (paidFrom !== undefined) replacePlan(database, paidFrom)
      if (outcome.shown !== undefined) showSettlement(database, outcome.shown)
      if (outcome.isLandedPayment === true) database.paymentsLanded += 1
      if (balance?.left !== undefined) {
        database.keep(balance.mint, balance.left, balance.isSettled === true)
      }
      order.settlement = side
      side.status = to
      side.sealedOutcome = sealedOutcome
      side.finalHourMs = finalHourOf(database, order, nowMs)
      free(side)
      if (attempt !== undefined) end(side, attempt.number, attempt.hasLanded ? 'landed' : 'dead')
      notifyChange(database, notifier, order, to)
      return true
    },
  }
}

const canEnd = (from: OrderStatus, to: Outcome['to']): boolean =>
  to === 'expired' ? EXPIRING_PAYMENT.includes(from) : canBecome(from, to)

/**
 * Replaces the newest note of an open balance.
 *
 * @throws Error if the balance's plan or epoch has changed since the caller read it. Then the payment isn't completed.
 */
function replacePlan(
  database: MemoryDatabase,
  { orderId, epoch, plan, sealedPlan }: NonNullable<Outcome['paidFrom']>,
): void {
  const order = database.order(orderId)
  if (order === undefined) throw new Error('the order of an open balance cannot be read')
  if (epochOf(order) !== epoch) {
    throw new Error('a balance was resealed while its payment completed')
  }
  const side = order.settlement ?? newSettlement('deposited')
  if (side.status !== 'deposited' || !isNewest(order, plan)) {
    throw new Error("a balance's plan changed while its payment completed")
  }
  order.settlement = side
  side.sealedPlan = sealedPlan
}

/**
 * The hour in which an order ended, by the wall clock. The chain's clock sets the latest possible hour, and the order's
 * epoch the earliest.
 */
function finalHourOf(
  database: MemoryDatabase,
  order: MemoryOrder | MemoryPayment,
  nowMs: number,
): number {
  const unixSeconds = database.cursor?.unixSeconds ?? 0n
  return Math.max(epochStartMs(epochOf(order)), endHourOf(nowMs, unixSeconds))
}

function openOf(order: MemoryOrder): OpenOrder {
  const { settlement } = order
  const live = liveOf(settlement)
  // Each column is copied by name, because spreading takes longer, and each worker lists all open orders in each
  // round.
  return {
    orderId: order.id,
    sender: order.sender,
    sourceMint: order.sourceMint,
    destinationMint: order.destinationMint,
    value: order.value,
    amountOut: order.amountOut,
    deadline: order.deadline,
    expiry: order.expiry,
    sealedTerms: order.sealedTerms,
    leafIndex: order.leafIndex ?? 0,
    epoch: epochOf(order),
    status: statusOf(order),
    sealedPlan: newestPlan(order),
    leaseUntilMs: settlement?.leaseUntilMs,
    attempt: live && { number: live.number, kind: live.kind, sealed: live.sealed },
  }
}

function openPaymentOf(payment: MemoryPayment): OpenPayment {
  const { id: orderId, epoch, validUntil, sealedTerms, settlement } = payment
  const live = liveOf(settlement)
  return {
    ...{ orderId, epoch, validUntil, sealedTerms },
    status: statusOf(payment),
    sealedPlan: newestPlan(payment),
    leaseUntilMs: settlement?.leaseUntilMs,
    attempt: live && { number: live.number, kind: live.kind, sealed: live.sealed },
  }
}
