import { leftOf, RESIDUE_SHARE, sumOf, without, type Note, type UnixSeconds } from '@sotto/protocol'
import { encodePlan, type DeliveryPlan } from '../../domain/order-secrets.ts'
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
import type { VerifiedTree } from '../follow/verified-tree.ts'
import type { NoteOpener } from './open-note.ts'
import { isBalance, type OpenedOrder } from './opened-order.ts'
import { withChangeLeaf } from './settlement-evidence.ts'

interface Dependencies {
  readonly store: Pick<PayStore, 'isUnplaced' | 'listOpen' | 'listPayments'> &
    Pick<HealthStore, 'findLeaves'> &
    Pick<FollowStore, 'readCursor'>
  readonly opener: Pick<NoteOpener, 'openAll' | 'openPayments' | 'findBalance'>
}

/**
 * The longest time from the request of a payment to the expiry of its signature. It includes an hour for nodes whose
 * clocks lag.
 */
const LIFE_SECONDS_MAX = PAYMENT_SECONDS_MAX + 3_600n

/**
 * A payment that can't be opened may delay other orders. The delay ends this long after the payment's signature has
 * expired, by the followed clock. In this time, an operator can restore the key. Afterwards, a damaged row must not
 * delay other orders any more. If the payment did land but is completed only later, its balance may keep a spent note
 * as its newest note. Then the rest of that balance isn't returned automatically.
 */
const CLOSED_SECONDS_MAX = 7n * 86_400n

/**
 * Returns the open payments in two groups: `opened` has the decrypted payments, and `closed` has the payments whose
 * sealed data can't be decrypted now. `closed` leaves out payments whose signature expired more than
 * `CLOSED_SECONDS_MAX` ago.
 */
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

/** True if a payment may have been ordered at this time of the chain's clock or earlier. */
const mayHaveBegun = ({ validUntil }: OpenPayment, seconds: UnixSeconds): boolean =>
  validUntil - LIFE_SECONDS_MAX <= seconds

/**
 * True if an open payment spends the balance's newest note, or may spend it. A payment that can't be opened now may
 * spend it if the payment could have landed at the time when the note was spent.
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
 * Returns `yes` if another open payment left the note that this payment spends. Returns `perhaps` if a payment that
 * can't be opened now may have left it.
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
 * True if an open payment may have spent the balance's newest note, although no node that answered shows the Nullifier.
 * This is possible if the tree has the leaf of the payment's change, or if the payment can't be opened now. In these
 * two cases, the balance must not become `refunding`: if the payment did land, it could never be completed, and the
 * rest would never return.
 */
export async function mayBePaid(
  d: Dependencies & { readonly tree: Pick<VerifiedTree, 'has'> },
  balance: OpenedOrder,
): Promise<boolean> {
  if (!isBalance(balance)) return false
  const { opened, closed } = await openPayments(d)
  if (closed.some((one) => mayHaveBegun(one, balance.note.expiry))) return true
  const own = opened.filter(({ nullifier }) => nullifier === balance.nullifier)
  // Another worker's node may have shown false leaves, which replaced the true ones in the database.
  const isStored = (await withChangeLeaf(d, own)).length > 0
  return isStored || own.some(({ changeLeaf }) => d.tree.has(changeLeaf, 0))
}

/**
 * Returns the open balance from which a payment was made, with its new plan. The new plan's note is the rest after the
 * payment. Returns `elsewhere` if the balance is open, but the payment doesn't spend its newest note. Returns undefined
 * if the balance's order has ended.
 *
 * @throws Error if the balance can't be opened now, or if its deposit isn't recorded yet. The payment then stays open.
 */
export async function paidFrom(
  d: Dependencies,
  paid: OpenedOrder,
): Promise<PaidFrom | 'elsewhere' | undefined> {
  if (paid.payment === undefined) return undefined
  const balance = await balanceOf(d, paid)
  if (balance === undefined || balance === 'elsewhere') return balance
  const leafIndex = (await d.store.findLeaves([paid.changeLeaf])).get(paid.changeLeaf)
  if (leafIndex === undefined) throw new Error('the tree lacks the change of a payment')
  const { order, secrets } = balance
  const { orderId, sealedPlan: before } = order
  const next = planAfter(balance, paid.note, paid.payment, leafIndex)
  const sealedPlan = secrets.seal(orderId, 'plan', encodePlan(next))
  return { orderId, epoch: secrets.epoch, plan: before, sealedPlan }
}

/** Returns the open balance whose newest note a payment spends. See `paidFrom` for the other results and the errors. */
async function balanceOf(
  { store, opener }: Dependencies,
  { nullifier, balanceId }: OpenedOrder,
): Promise<OpenedOrder | 'elsewhere' | undefined> {
  // The list of all orders may lack an order that was recorded late. A list by ids always has it.
  const ids = [opener.findBalance(nullifier), balanceId].filter((id) => id !== undefined)
  const lists = ids.length === 0 ? (['all'] as const) : ([ids, 'all'] as const)
  let isOpen = false
  for (const which of lists) {
    const listed = await store.listOpen(which)
    const open = await opener.openAll(listed)
    const balance = open.find((one) => isBalance(one) && one.nullifier === nullifier)
    if (balance !== undefined) return balance
    isOpen ||= isAmong(listed, balanceId)
    if (isAmong(listed, balanceId) && !isAmong(ordersOf(open), balanceId)) {
      // If the payment were completed now, the balance's newest note would stay the spent note forever.
      throw new Error('the balance of a payment cannot be opened now')
    }
  }
  if (isOpen) return 'elsewhere'
  if (balanceId !== undefined && (await store.isUnplaced(balanceId))) {
    // The owner pays as soon as the tree has the deposit's leaf, perhaps before the service has recorded the deposit.
    throw new Error('the deposit of a payment is not recorded yet')
  }
  return undefined
}

/** The balance's plan after a payment that spends `spent`. Its note is the change, which has the given leaf index. */
function planAfter(
  { plan, order }: OpenedOrder,
  spent: Note,
  payment: NonNullable<OpenedOrder['payment']>,
  leafIndex: number,
): DeliveryPlan {
  const value = without(spent.value, sumOf([payment.payout, payment.fee]))
  const { changeNk: nk, validUntil } = payment
  const { deadline, expiry } = leftOf(spent, { nk, value, validUntil })
  const isLeft = payment.isLast === true && isResidue(value, order) ? true : undefined
  // The change is a new note. So the plan no longer says that a refund was tried for the spent note.
  return {
    ...plan,
    isRefundTried: undefined,
    note: { nk, value, deadline, expiry, leafIndex, isLeft },
  }
}

/**
 * True if the rest is so small that the service doesn't return it when the owner ends the balance. A larger rest is
 * returned.
 */
const isResidue = (value: bigint, order: Pick<OpenOrder, 'value'>): boolean =>
  value * RESIDUE_SHARE <= order.value

const ordersOf = (opened: readonly OpenedOrder[]): OpenOrder[] => opened.map(({ order }) => order)

const isAmong = (orders: readonly OpenOrder[], id: Uint8Array | undefined): boolean =>
  id !== undefined && orders.some(({ orderId }) => Buffer.compare(orderId, id) === 0)
