import type { RecoveryProof, StatusResponse } from '@sotto/contract'
import type { Clock } from '../../ports/clock.ts'
import type { NotePath, NotePaths } from '../../ports/note-paths.ts'
import type { OrderStore, StoredOrder } from '../../ports/order-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { decodeTrackingId } from '../../domain/tracking-id.ts'
import { renderStatus } from './render-status.ts'
import { ServiceError } from '../service-error.ts'

export interface StatusDependencies {
  readonly orders: OrderStore
  readonly secrets: Secrets
  readonly clock: Clock
  /** Without it, records don't show how to settle an order without the service. */
  readonly notePaths?: NotePaths
}

// Looked up if the text isn't a tracking id, so that it takes as long as any other.
const NO_ORDER = new Uint8Array(16)

/**
 * An account's own order from the database: no chain call, no write.
 *
 * @throws ServiceError ORDER_NOT_FOUND, for other accounts' orders too.
 */
export async function findOwnOrder(orders: OrderStore, accountId: string, trackingId: string) {
  const found = await orders.readOrder(accountId, decodeTrackingId(trackingId) ?? NO_ORDER)
  if (found === undefined) throw new ServiceError('ORDER_NOT_FOUND')
  return found
}

/**
 * An order's secrets; undefined if they are destroyed. After the deposit an unreadable key file is an error: the
 * outcome can't be read, and a guess could move the status back. Before the deposit the unsealed columns have
 * everything except the expected seconds, so the request succeeds.
 */
async function secretsOf(secrets: Secrets, { epoch, status }: StoredOrder) {
  try {
    return await secrets.read(epoch)
  } catch (error) {
    if (status === 'awaiting_deposit' || status === 'expired') return undefined
    throw error
  }
}

/** The status record of an account's order. @throws ServiceError ORDER_NOT_FOUND. */
export async function readStatus(
  d: StatusDependencies,
  accountId: string,
  trackingId: string,
): Promise<StatusResponse> {
  const { order, followed } = await findOwnOrder(d.orders, accountId, trackingId)
  const secrets = await secretsOf(d.secrets, order)
  const record = renderStatus(order, followed, secrets, d.clock.nowMs())
  const path = OWED.has(order.status) ? await d.notePaths?.read(order.id) : undefined
  if (path === undefined) return { success: true, order: record }
  return { success: true, order: { ...record, recoveryProof: renderProof(path) } }
}

/** While its money is in the pool, an order can be settled with its ticket. */
const OWED: ReadonlySet<StoredOrder['status']> = new Set(['deposited', 'delivering', 'refunding'])

const digitsOf = (node: bigint): string => node.toString(16).padStart(64, '0')

const renderProof = ({ leafIndex, path, root }: NotePath): RecoveryProof => ({
  leafIndex,
  path: path.map(digitsOf),
  checkpoint: digitsOf(root),
})
