import { RESIDUE_SHARE, sumOf, without, type UnixSeconds } from '@sotto/protocol'
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

/** The longest time from a payment's order to its end, with an hour for heads that lag. */
const LIFE_SECONDS_MAX = PAYMENT_SECONDS_MAX + 3_600n

/**
 * How long after its end a payment that can't be opened holds up others, by the followed clock: time for an operator to
 * restore a key. A damaged row would hold them up for ever. What completes without it did land; only the balance may
 * stay at a spent note, so that its rest doesn't return by itself.
 */
const CLOSED_SECONDS_MAX = 7n * 86_400n

/** Open payments, and those of them that can't be opened now, unless they ended long ago. */
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
 * Whether the payment's note is what another open payment left; `perhaps` if that may be one that can't be opened now.
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
 * The open balance that a payment was made from, with what the payment left; `elsewhere` if the balance is open and its
 * newest note isn't the payment's; undefined if its order has ended.
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
      // If the payment were completed now, the balance would stay at a spent note for ever.
      throw new Error('the balance of a payment can not be opened now')
    }
  }
  if (payment === undefined) return undefined
  if (balance === undefined) return isOpen ? 'elsewhere' : undefined
  const leafIndex = (await store.findLeaves([changeLeaf])).get(changeLeaf)
  if (leafIndex === undefined) throw new Error('the tree lacks the change of a payment')
  const { order, secrets, plan } = balance
  const value = without(note.value, sumOf([payment.payout, payment.fee]))
  const { changeNk: nk } = payment
  const isLeft = payment.isLast === true && isResidue(value, order) ? true : undefined
  const next = encodePlan({ ...plan, note: { nk, value, leafIndex, isLeft } })
  const { orderId, sealedPlan } = order
  return { orderId, plan: sealedPlan, sealedPlan: secrets.seal(orderId, 'plan', next) }
}

/** More than a residue is returned, even if the caller ends the balance. */
const isResidue = (value: bigint, order: Pick<OpenOrder, 'value'>): boolean =>
  value * RESIDUE_SHARE <= order.value

const ordersOf = (opened: readonly OpenedOrder[]): OpenOrder[] => opened.map(({ order }) => order)

const isAmong = (orders: readonly OpenOrder[], id: Uint8Array | undefined): boolean =>
  id !== undefined && orders.some(({ orderId }) => Buffer.compare(orderId, id) === 0)
