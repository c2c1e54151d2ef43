import type { ArrivalSeconds } from '../../domain/delivery-schedule.ts'
import type { RecoveryProof, StatusResponse } from '@sotto/contract'
import type { Clock } from '../../ports/clock.ts'
import type { NotePath, NotePaths } from '../../ports/note-paths.ts'
import type { OrderStore, StoredOrder } from '../../ports/order-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { decodeTrackingId } from '../../domain/tracking-id.ts'
import { renderPayment } from './render-payment.ts'
import { renderStatus } from './render-status.ts'
import { ServiceError } from '../service-error.ts'

export interface StatusDependencies {
  readonly orders: OrderStore
  readonly secrets: Secrets
  readonly clock: Clock
  readonly arrivalSeconds: ArrivalSeconds
  /**
   * Reads the Merkle paths of notes. If absent, status records don't show how to settle an order without the service.
   */
  readonly notePaths?: NotePaths
}

// An id that belongs to no order. If the text isn't a tracking id, the database is searched for this id. So the
// response takes as long as any other response.
const NO_ORDER = new Uint8Array(16)

/**
 * Finds an order of the account with one database read. Makes no chain call and writes nothing.
 *
 * @throws ServiceError ORDER_NOT_FOUND, also for another account's order.
 */
export async function findOwnOrder(orders: OrderStore, accountId: string, trackingId: string) {
  const found = await orders.readOrder(accountId, decodeTrackingId(trackingId) ?? NO_ORDER)
  if (found === undefined) throw new ServiceError('ORDER_NOT_FOUND')
  return found
}

/**
 * Returns an order's secrets; undefined if they are destroyed. After the deposit, an unreadable key file is an error:
 * the outcome is unknown, and a guessed status could contradict an earlier status. Before the deposit, an unreadable
 * key file also gives undefined. Of the data that the status shows at that time, only the expected seconds and the
 * stated chance are sealed.
 */
async function secretsOf(secrets: Secrets, { epoch, status }: StoredOrder) {
  try {
    return await secrets.read(epoch)
  } catch (error) {
    if (status === 'awaiting_deposit' || status === 'expired') return undefined
    throw error
  }
}

/**
 * Finds an order or a payment of the account in the database.
 *
 * @throws ServiceError ORDER_NOT_FOUND, also for an order or payment of another account.
 */
export async function findOwn(orders: OrderStore, accountId: string, trackingId: string) {
  const id = decodeTrackingId(trackingId) ?? NO_ORDER
  const found = (await orders.readOrder(accountId, id))?.order
  const own = found ?? (await orders.readPayment(accountId, id))
  if (own === undefined) throw new ServiceError('ORDER_NOT_FOUND')
  return own
}

/** The status record of an account's order or payment. @throws ServiceError ORDER_NOT_FOUND. */
export async function readStatus(
  d: StatusDependencies,
  accountId: string,
  trackingId: string,
): Promise<StatusResponse> {
  const id = decodeTrackingId(trackingId) ?? NO_ORDER
  const found = await d.orders.readOrder(accountId, id)
  if (found === undefined) return readPaymentStatus(d, accountId, id)
  const { order, followed } = found
  const secrets = await secretsOf(d.secrets, order)
  const record = renderStatus(order, followed, secrets, d.clock.nowMs(), d.arrivalSeconds)
  const path = OWED.has(order.status) ? await d.notePaths?.read(order.id) : undefined
  if (path === undefined) return { success: true, order: record }
  return { success: true, order: { ...record, recoveryProof: renderProof(path) } }
}

async function readPaymentStatus(
  d: StatusDependencies,
  accountId: string,
  id: Uint8Array,
): Promise<StatusResponse> {
  const payment = await d.orders.readPayment(accountId, id)
  const secrets = payment && (await d.secrets.read(payment.epoch))
  // All data of a payment is sealed with its epoch's key, so the payment can't be shown without the key.
  if (payment === undefined || secrets === undefined || payment.sealedTerms.length === 0) {
    throw new ServiceError('ORDER_NOT_FOUND')
  }
  return { success: true, order: renderPayment(payment, secrets, d.arrivalSeconds) }
}

/** The statuses in which the order's money is in the pool. An order in such a status can be settled with its ticket. */
const OWED: ReadonlySet<StoredOrder['status']> = new Set(['deposited', 'delivering', 'refunding'])

const digitsOf = (node: bigint): string => node.toString(16).padStart(64, '0')

const renderProof = ({ leafIndex, path, root }: NotePath): RecoveryProof => ({
  leafIndex,
  path: path.map(digitsOf),
  checkpoint: digitsOf(root),
})
