import { leftOf, RESIDUE_SHARE, sumOf, without, type UnixSeconds } from '@sotto/protocol'
import { encodePlan } from '../../domain/order-secrets.ts'
import { hexOf } from '../../domain/hex.ts'
import { PAYMENT_SECONDS_MAX } from '../../domain/payment-life.ts'
import type { SettledNote } from '../../ports/settlement-chain.ts'
import type {
  FollowStore,
  HealthStore,
  OpenOrder,
  OpenPayment,
  PaidFrom,
  PayStore,
} from '../../ports/settlement-store.ts'
import type { NoteOpener } from './open-note.ts'
import { isBalance, type OpenedOrder } from './opened-order.ts'

interface Dependencies {
  readonly store: Pick<PayStore, 'listOpen' | 'listPayments'> &
    Pick<HealthStore, 'findLeaves'> &
    Pick<FollowStore, 'readCursor'>
  readonly opener: Pick<NoteOpener, 'openAll' | 'openPayments' | 'findBalance'>
}

/** The longest time from a payment's order to its end, plus an hour for nodes whose heads lag. */
const LIFE_SECONDS_MAX = PAYMENT_SECONDS_MAX + 3_600n

/**
 * A payment that can't be opened delays others. The delay ends this long after the payment's own end, by the followed
 * clock. An operator may restore the key in this time, but a damaged row must not delay the others for ever. A payment
 * that completes after the delay has really landed. But its balance may then keep a spent note as its newest one, and
 * its rest doesn't return by itself.
 */
const CLOSED_SECONDS_MAX = 7n * 86_400n

/** Open payments: those that can be opened, and those that can't be opened now and didn't end long ago. */
async function openPayments({ store, opener }: Pick<Dependencies, 'store' | 'opener'>) {
  const listed = await store.listPayments()
  const opened = await opener.openPayments(listed)
  const known = new Set(opened.map(({ order }) => hexOf(order.orderId)))
  const closed = listed.filter(({ orderId }) => !known.has(hexOf(orderId)))
  if (closed.length === 0) return { opened, closed }
  const { unixSeconds } = await store.readCursor()
  const isAwaited = ({ validUntil }: OpenPayment) => unixSeconds <= validUntil + CLOSED_SECONDS_MAX
  return { opened, closed: closed.filter(isAwaited) }
}

/** True if a payment may have been ordered by this time of the chain's clock. */
const mayHaveBegun = ({ validUntil }: OpenPayment, seconds: UnixSeconds): boolean =>
  validUntil - LIFE_SECONDS_MAX <= seconds

/**
 * True if an open payment spends the balance's newest note, or may spend it. A payment that can't be opened now may
 * spend it if the payment could land when the note was spent.
 */
export async function isOwnPayment(
  d: Dependencies,
  { nullifier }: OpenedOrder,
  { atSeconds }: SettledNote,
): Promise<boolean> {
  const { opened, closed } = await openPayments(d)
  if (opened.some((one) => one.nullifier === nullifier)) return true
  return closed.some((one) => mayHaveBegun(one, atSeconds) && atSeconds <= one.validUntil)
}

/**
 * `yes` if another open payment left this payment's note; `perhaps` if a payment that can't be opened now may have left
 * it.
 */
export async function isAfterOpenPayment(
  d: Dependencies,
  { leaf }: OpenedOrder,
  { atSeconds }: SettledNote,
): Promise<'yes' | 'perhaps' | 'no'> {
  const { opened, closed } = await openPayments(d)
  if (opened.some(({ changeLeaf }) => changeLeaf === leaf)) return 'yes'
  return closed.some((one) => mayHaveBegun(one, atSeconds)) ? 'perhaps' : 'no'
}

/**
 * The open balance that a payment was made from, with its rest after the payment. `elsewhere` if the balance is open
 * but its newest note isn't the payment's. Undefined if the balance's order has ended.
 */
export async function paidFrom(
  { store, opener }: Dependencies,
  { nullifier, note, payment, changeLeaf, balanceId }: OpenedOrder,
): Promise<PaidFrom | 'elsewhere' | undefined> {
  const known = opener.findBalance(nullifier)
  const lists = known === undefined ? (['all'] as const) : ([[known], 'all'] as const)
  let balance: OpenedOrder | undefined
  let isOpen = false
  for (const which of lists) {
    const listed = await store.listOpen(which)
    const open = await opener.openAll(listed)
    balance = open.find((one) => isBalance(one) && one.nullifier === nullifier)
    if (balance !== undefined) break
    isOpen = isAmong(listed, balanceId)
    if (isOpen && !isAmong(ordersOf(open), balanceId)) {
      // If the payment were completed now, the balance would keep its spent note as its newest one for ever.
      throw new Error('the balance of a payment can not be opened now')
    }
  }
  if (payment === undefined) return undefined
  if (balance === undefined) return isOpen ? 'elsewhere' : undefined
  const leafIndex = (await store.findLeaves([changeLeaf])).get(changeLeaf)
  if (leafIndex === undefined) throw new Error('the tree lacks the change of a payment')
  const { order, secrets } = balance
  // The rest is another note, so a refund that is tried for the spent note doesn't concern it.
  const plan = { ...balance.plan, isRefundTried: undefined }
  const value = without(note.value, sumOf([payment.payout, payment.fee]))
  const { changeNk: nk, validUntil } = payment
  const { deadline, expiry } = leftOf(note, { nk, value, validUntil })
  const isLeft = payment.isLast === true && isResidue(value, order) ? true : undefined
  const next = encodePlan({ ...plan, note: { nk, value, deadline, expiry, leafIndex, isLeft } })
  const { orderId, sealedPlan: before } = order
  const sealedPlan = secrets.seal(orderId, 'plan', next)
  return { orderId, epoch: secrets.epoch, plan: before, sealedPlan }
}

/**
 * True if the rest is so small that it isn't returned. A larger rest is returned, even if the caller ends the balance.
 */
const isResidue = (value: bigint, order: Pick<OpenOrder, 'value'>): boolean =>
  value * RESIDUE_SHARE <= order.value

const ordersOf = (opened: readonly OpenedOrder[]): OpenOrder[] => opened.map(({ order }) => order)

const isAmong = (orders: readonly OpenOrder[], id: Uint8Array | undefined): boolean =>
  id !== undefined && orders.some(({ orderId }) => Buffer.compare(orderId, id) === 0)
