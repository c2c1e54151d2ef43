import { unixSeconds, type UnixSeconds } from '@sotto/protocol'
import { lastChangeMs } from '../../packages/server/src/domain/last-change.ts'
import type {
  CreatePaymentOutcome,
  NewPayment,
  OrderStore,
  StoredPayment,
} from '../../packages/server/src/ports/order-store.ts'
import { keyOf, statusOf, type MemoryDatabase, type MemoryPayment } from './memory-database.ts'

type PaymentStore = Pick<
  OrderStore,
  'tryCreatePayment' | 'readReservedUntil' | 'readPayment' | 'trySign'
>

/** Payments out of balances for the HTTP interface, in memory. */
export function memoryPaymentStore(database: MemoryDatabase): PaymentStore {
  return {
    tryCreatePayment: async (...asked) => create(database, ...asked),
    readReservedUntil: async (names) =>
      names
        .flatMap((name) => database.reservedNotes.get(keyOf(name)) ?? [])
        .reduce<bigint | undefined>((last, end) => (end > (last ?? 0n) ? end : last), undefined),
    readPayment: async (accountId, orderId) => {
      const payment = database.payment(orderId)
      return payment?.accountId === accountId ? storedPaymentOf(payment) : undefined
    },
    trySign: async (orderId, { changeNames, sealedTerms, sealedPlan }, nowMs) => {
      const payment = database.payment(orderId)
      if (payment?.status !== 'awaiting_signature') return 'not_awaiting'
      if (!tryReserve(database, changeNames, payment.validUntil)) return 'change_in_use'
      payment.status = 'delivering'
      payment.sealedTerms = sealedTerms
      payment.sealedPlan = sealedPlan
      payment.updatedAtMs = nowMs
      return 'signed'
    },
  }
}

function create(
  database: MemoryDatabase,
  { reservations, ...payment }: NewPayment,
  ordersMax: number,
  endedBefore?: UnixSeconds,
): CreatePaymentOutcome {
  if (isRequestTaken(database, payment)) return 'taken'
  const unpaid = database
    .rows()
    .filter((other) => holdsPlace(other, endedBefore) && isOfSameNetwork(other, payment))
  if (unpaid.length >= ordersMax) return 'too_many_unpaid'
  if (!tryReserve(database, reservations, payment.validUntil)) return 'note_in_use'
  database.payments.set(keyOf(payment.id), {
    ...payment,
    ...{ status: 'awaiting_signature', sealEpoch: undefined, updatedAtMs: payment.createdAtMs },
    ...{ sealedPlan: undefined, finalHourMs: undefined, settlement: undefined },
  })
  return 'created'
}

/**
 * Reserves the notes or changes with these names until a time. If one of them is already reserved, returns false and
 * reserves none.
 */
function tryReserve(
  { reservedNotes }: MemoryDatabase,
  names: readonly Uint8Array[],
  until: UnixSeconds,
): boolean {
  const keys = names.map(keyOf)
  if (keys.some((name) => reservedNotes.has(name))) return false
  for (const name of keys) reservedNotes.set(name, until)
  return true
}

/** True for an order or a payment that waits for its deposit or its signature. */
export const isAwaiting = ({ status }: Pick<MemoryPayment, 'status'>): boolean =>
  status === 'awaiting_deposit' || status === 'awaiting_signature'

/** True for a row that occupies a place of its account or network: see `endedBefore` of `OrderRoom`. */
export const holdsPlace = (
  row: Pick<MemoryPayment, 'status' | 'validUntil'>,
  endedBefore: UnixSeconds = unixSeconds(0n),
): boolean => isAwaiting(row) && row.validUntil >= endedBefore

type Network = Pick<NewPayment, 'accountId' | 'network'>

const networkOf = ({ network }: Network): string => keyOf(network ?? new Uint8Array())

export const isOfSameNetwork = (one: Network, other: Network): boolean =>
  one.accountId === other.accountId && networkOf(one) === networkOf(other)

/** True if another order or payment has this id, quote or idempotency key. */
export function isRequestTaken(
  database: MemoryDatabase,
  made: Pick<NewPayment, 'id' | 'quoteNonce' | 'accountId' | 'idempotencyKey'>,
): boolean {
  const [id, quote] = [keyOf(made.id), keyOf(made.quoteNonce)]
  return database
    .rows()
    .some(
      (other) =>
        keyOf(other.id) === id ||
        keyOf(other.quoteNonce) === quote ||
        (made.idempotencyKey !== undefined &&
          other.accountId === made.accountId &&
          other.idempotencyKey === made.idempotencyKey),
    )
}

export function storedPaymentOf(payment: MemoryPayment): StoredPayment {
  const { settlement, sealedResponse: _response, network: _network, ...row } = payment
  const { finalHourMs: _hour, sealEpoch: _epoch, ...columns } = row
  return {
    ...columns,
    status: statusOf(payment),
    updatedAtMs: lastChangeMs(payment.createdAtMs, payment.updatedAtMs, settlement?.finalHourMs),
    sealedPlan: settlement?.sealedPlan ?? payment.sealedPlan,
    sealedOutcome: settlement?.sealedOutcome,
  }
}
