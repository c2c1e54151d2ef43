import type { UnixSeconds } from '@sotto/protocol'
import type { OrderStatusRecord, OrderSummary, Payment } from '@sotto/contract'
import type { ArrivalSeconds } from '../../domain/delivery-schedule.ts'
import { isFinal } from '../../domain/order-state.ts'
import { balanceTicket, decodePayment, type PaymentTerms } from '../../domain/payment-terms.ts'
import { ALONE } from '../../domain/privacy-statement.ts'
import { chanceText } from '../../domain/state-quote.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import type { StoredPayment } from '../../ports/order-store.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import { isoOfMs, isoOfSeconds } from '../iso-time.ts'
import { settlementOf } from './render-status.ts'

/** Renders the status record of a payment. A payment has no deposit and is never refunded. */
export function renderPayment(
  payment: StoredPayment,
  secrets: EpochSecrets,
  arrivalSeconds: ArrivalSeconds,
): OrderStatusRecord {
  const terms = decodePayment(secrets.open(payment.id, 'payment', payment.sealedTerms))
  const settled = settlementOf(payment, secrets)
  return {
    ...renderPaymentSummary(payment, terms),
    // Expected seconds. A payment waits only until it is proved and has landed.
    eta: isFinal(payment.status) ? 0 : arrivalSeconds('payment'),
    nextAction: nextActionOf(payment),
    deposit: null,
    delivery: settled?.event ?? null,
    refund: null,
    linkProbability: chanceText(ALONE.linkProbability),
  }
}

/** Renders the part of a payment's status record that lists of orders contain too. */
export function renderPaymentSummary(payment: StoredPayment, terms: PaymentTerms): OrderSummary {
  const { mint } = balanceTicket(terms.ticket).note
  const end = isoOfSeconds(payment.validUntil)
  return {
    trackingId: encodeTrackingId(payment.id),
    status: payment.status,
    final: isFinal(payment.status),
    sourceAssetId: mint,
    destinationAssetId: mint,
    amountIn: `${terms.payout + terms.fee}`,
    amountOut: `${terms.payout}`,
    createdAt: isoOfMs(payment.createdAtMs),
    updatedAt: isoOfMs(payment.updatedAtMs),
    expiration: end,
    deliverBy: end,
    payment: renderTerms(terms, payment.validUntil),
    ...(payment.reference === undefined ? {} : { reference: payment.reference }),
  }
}

/** The terms that the owner signs. They lack the change's leaf, because only the owner knows that leaf. */
export function renderTerms(
  terms: Pick<PaymentTerms, 'ticket' | 'leafIndex' | 'payee' | 'payout' | 'fee'>,
  validUntil: UnixSeconds,
): Payment {
  const { leafIndex, payee, payout, fee } = terms
  const { value } = balanceTicket(terms.ticket).note
  return {
    ...{ leafIndex, payee, payout: `${payout}`, fee: `${fee}` },
    change: `${value - payout - fee}`,
    validUntil: isoOfSeconds(validUntil),
  }
}

function nextActionOf({ status }: StoredPayment): OrderStatusRecord['nextAction'] {
  if (isFinal(status)) return 'none'
  return status === 'awaiting_signature' ? 'sign' : 'wait'
}
