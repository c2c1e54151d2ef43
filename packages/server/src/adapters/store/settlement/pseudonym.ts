import type { EpochSecrets, Secrets } from '../../../ports/secrets.ts'
import type { Sql } from '../sql.ts'
import { HAS_WEBHOOKS, type NotifiedOrder } from '../outbox/new-event.ts'
import { hexOf } from '../../../domain/hex.ts'

/** The secrets that are needed to compute pseudonyms. A pseudonym is computed with the epoch's key. */
export type PseudonymSecrets = Pick<Secrets, 'read'>

/**
 * Reads an epoch's secrets; undefined if the key is destroyed, damaged or unreadable. So one damaged key doesn't stop a
 * read of many orders. The code that opens the orders reports the damaged key.
 */
export async function findKey(
  secrets: PseudonymSecrets,
  epoch: number,
): Promise<EpochSecrets | undefined> {
  try {
    return await secrets.read(epoch)
  } catch {
    return undefined
  }
}

/** Computes an order's pseudonym in `settlements`, in hex; undefined if the key is destroyed. */
export async function pseudonymOf(
  secrets: PseudonymSecrets,
  epoch: number,
  orderId: Uint8Array,
): Promise<string | undefined> {
  const key = await secrets.read(epoch)
  return key && hexOf(key.pseudonym(orderId))
}

/** An order with its pseudonym in `settlements`, and the epoch of the pseudonym's key. */
export interface NamedOrder extends NotifiedOrder {
  readonly pseudonym: string
  readonly epoch: number
}

interface Row {
  readonly epoch: number
  readonly account_id: string
  readonly reference: string | null
  readonly is_payment: boolean
  readonly has_webhooks: boolean
}

/** SQL that is true for an order whose recorded deposit is in the tree, and for a signed payment. */
const AT_WORK = "status = 'deposited' AND leaf_index IS NOT NULL OR status = 'delivering'"
/** SQL that is true for an order whose recorded deposit isn't in the tree. */
export const VANISHED = "status = 'deposited' AND leaf_index IS NULL"

/**
 * Computes the pseudonym of an order or signed payment whose epoch isn't cleared. Callers must not keep the pseudonym:
 * it changes when another worker moves the order to another epoch's key. A lock would leave a trace in the order's row.
 * The trace would show when the order was delivered, so this read takes no lock.
 */
export async function findNamedOrder(
  sql: Sql,
  secrets: PseudonymSecrets,
  orderId: Uint8Array,
  which: typeof AT_WORK | typeof VANISHED = AT_WORK,
): Promise<NamedOrder | undefined> {
  const [row] = await sql.query<Row>(
    `SELECT COALESCE(seal_epoch, epoch)::integer AS epoch, account_id, reference,
       leaf IS NULL AS is_payment,
       ${HAS_WEBHOOKS} AS has_webhooks
     FROM orders
     WHERE id = decode($1, 'hex') AND (${which})`,
    [hexOf(orderId)],
  )
  if (row === undefined) return undefined
  const { epoch, account_id: accountId, has_webhooks: hasWebhooks } = row
  const { is_payment: isPayment } = row
  const key = await secrets.read(epoch)
  if (key === undefined) return undefined
  const pseudonym = hexOf(key.pseudonym(orderId))
  const reference = row.reference ?? undefined
  return { pseudonym, epoch, orderId, accountId, isPayment, reference, hasWebhooks, key }
}

/** True if the order's deposit isn't recorded yet, or has no place in the tree now. */
export async function isUnplaced(sql: Sql, orderId: Uint8Array): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM orders WHERE id = decode($1, 'hex')
     AND (status = 'awaiting_deposit' OR status = 'deposited' AND leaf_index IS NULL)`,
    [hexOf(orderId)],
  )
  return rows.length > 0
}
