import { unixSeconds } from '@sotto/protocol'
import { lastChangeMs } from '../../domain/last-change.ts'
import type { OrderStatus } from '../../domain/order-state.ts'
import type {
  CreatePaymentOutcome,
  NewPayment,
  OrderStore,
  StoredPayment,
} from '../../ports/order-store.ts'
import { hexOf } from '../../domain/hex.ts'
import { bytesOf } from './column-values.ts'
import { insertAtPlace, isTaken } from './insert-order.ts'
import { epochOf, ORDER_COLUMNS, type OrderRow } from './order-row.ts'
import { withSides } from './read-sides.ts'
import type { PseudonymSecrets } from './settlement/pseudonym.ts'
import type { SettlementRow } from './settlement/read-settlements.ts'
import type { Database, Sql } from './sql.ts'
import { NO_NETWORK } from './swap-room.ts'
import { uniqueViolation } from './unique-violation.ts'

/** The values of a payment's row. Each column that describes a deposit is NULL. */
const valuesOf = (payment: NewPayment): readonly unknown[] => [
  payment.id,
  payment.accountId,
  payment.quoteNonce,
  payment.idempotencyKey ?? null,
  payment.fingerprint,
  payment.epoch,
  payment.reference ?? null,
  ...Array.from({ length: 9 }, () => null),
  payment.validUntil.toString(),
  ...Array.from({ length: 5 }, () => null),
  payment.sealedTerms,
  payment.sealedResponse,
  new Date(payment.createdAtMs),
  payment.network ?? NO_NETWORK,
]

/**
 * Thrown to roll back the transaction if a payment can't be created. The error carries the reason, and `createPayment`
 * catches it.
 */
class NotCreated extends Error {
  override readonly name = 'NotCreated'
  readonly reason: CreatePaymentOutcome

  constructor(reason: CreatePaymentOutcome) {
    super(reason)
    this.reason = reason
  }
}

const RESERVE = `INSERT INTO reserved_notes (name, valid_until)
  SELECT decode(name, 'hex'), $2 FROM unnest($1::text[]) AS given (name)`

/** Converts the names to hex and sorts them. If two payments insert the same two names in the same order, they can't deadlock. */
const inOrder = (names: readonly Uint8Array[]): string[] => names.map(hexOf).sort()

/**
 * Inserts the payment and reserves its note in one transaction. If requests race for the quote, the key or the note,
 * the unique indexes decide. The row is inserted before the note is reserved. So if the same request is repeated, the
 * result is `taken`, not `note_in_use`.
 */
export const createPayment =
  (database: Database): OrderStore['tryCreatePayment'] =>
  async (payment, ordersMax, endedBefore) => {
    try {
      await database.transaction(async (sql) => {
        const row = valuesOf(payment)
        const places = { ordersMax, endedBefore }
        if (!(await insertAtPlace(sql, 'awaiting_signature', row, places))) {
          throw new NotCreated((await isTaken(sql, payment)) ? 'taken' : 'too_many_unpaid')
        }
        await sql.query(RESERVE, [inOrder(payment.reservations), payment.validUntil.toString()])
      })
      return 'created'
    } catch (error) {
      if (error instanceof NotCreated) return error.reason
      const index = uniqueViolation(error)
      if (index === undefined) throw error
      return index === 'reserved_notes_pkey' ? 'note_in_use' : 'taken'
    }
  }

/**
 * Returns the latest end of validity among the payments that have reserved one of these names; undefined if there is no
 * such payment.
 */
export const readReservedUntil =
  (sql: Sql): OrderStore['readReservedUntil'] =>
  async (names) => {
    const [row] = await sql.query<{ readonly until: string | null }>(
      `SELECT MAX(valid_until) AS until FROM reserved_notes
       WHERE name IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
      [names.map(hexOf)],
    )
    const until = row?.until ?? undefined
    return until === undefined ? undefined : BigInt(until)
  }

const READ = `SELECT ${ORDER_COLUMNS} FROM orders o
  WHERE o.id = $1 AND o.account_id IS NOT DISTINCT FROM $2 AND o.leaf IS NULL`

/**
 * Reads a payment. As in `read-order.ts`, the statement itself compares the account, so its duration doesn't reveal
 * whether another account has the payment.
 */
export const readPayment =
  (sql: Sql, secrets: PseudonymSecrets): OrderStore['readPayment'] =>
  async (accountId, orderId) => {
    const read = () => sql.query<OrderRow>(READ, [orderId, accountId], 'read-payment')
    const [found] = await withSides(sql, secrets, read)
    return found && decodePayment(found.row, found.side, found.plan)
  }

const SIGN = `UPDATE orders SET status = 'delivering', sealed_terms = $2, sealed_plan = $3, updated_at = $4,
    network = ''::bytea
  WHERE id = $1 AND status = 'awaiting_signature' AND final_hour IS NULL RETURNING valid_until`

/**
 * Records the signature and reserves the payment's change note in one transaction. A payment can be signed only once.
 * If requests race for the change note, the unique index decides. When the follower expires a payment, it also locks
 * the payment's row before it frees names. So the two transactions never deadlock.
 */
export const signPayment =
  (database: Database): OrderStore['trySign'] =>
  async (orderId, { changeNames, sealedTerms, sealedPlan }, nowMs) => {
    const values = [orderId, sealedTerms, sealedPlan, new Date(nowMs)]
    try {
      return await database.transaction(async (sql) => {
        const [row] = await sql.query<{ readonly valid_until: string }>(SIGN, values)
        if (row === undefined) return 'not_awaiting'
        await sql.query(RESERVE, [inOrder(changeNames), row.valid_until])
        return 'signed'
      })
    } catch (error) {
      if (uniqueViolation(error) === undefined) throw error
      return 'change_in_use'
    }
  }

/**
 * Decodes a payment's row. Once work on the signed payment has begun, the payment's state is in its row in
 * `settlements`.
 */
export function decodePayment(
  row: OrderRow,
  side: SettlementRow | undefined,
  sealedPlan: Uint8Array | undefined,
): StoredPayment {
  return {
    id: bytesOf(row.id),
    accountId: row.account_id,
    quoteNonce: bytesOf(row.quote_nonce),
    idempotencyKey: row.idempotency_key ?? undefined,
    fingerprint: bytesOf(row.fingerprint),
    epoch: epochOf(row.epoch),
    reference: row.reference ?? undefined,
    status: paymentStatus(row.status, side),
    validUntil: unixSeconds(BigInt(row.valid_until)),
    sealedTerms: bytesOf(row.sealed_terms),
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: lastChangeMs(
      row.created_at.getTime(),
      row.updated_at.getTime(),
      side?.final_hour?.getTime(),
    ),
    sealedPlan,
    sealedOutcome: side?.sealed_outcome ? bytesOf(side.sealed_outcome) : undefined,
  }
}

/**
 * Returns the status of a payment. In `settlements`, a payment's row starts as `deposited`, like an order's row, so
 * that the rows of payments and orders can't be distinguished. In a payment's row, `deposited` means `delivering`.
 */
export function paymentStatus(
  own: OrderStatus,
  side: Pick<SettlementRow, 'status'> | undefined,
): OrderStatus {
  if (side === undefined || side.status === 'moved') return own
  return side.status === 'deposited' ? 'delivering' : side.status
}
