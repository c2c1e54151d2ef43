import type { SignatureRequest, StatusResponse } from '@sotto/contract'
import {
  amount,
  eddsaVerify,
  FIELD_MODULUS,
  leafOfNote,
  nullifierOf,
  paymentMessage,
  unixSeconds,
  type Poseidon,
} from '@sotto/protocol'
import { encodePlan } from '../../domain/order-secrets.ts'
import {
  balanceTicket,
  decodePayment,
  encodePayment,
  type PaymentSignature,
  type PaymentTerms,
} from '../../domain/payment-terms.ts'
import { decodeTrackingId } from '../../domain/tracking-id.ts'
import type { Chain } from '../../ports/chain.ts'
import { askUpstream } from '../ask-upstream.ts'
import type { MarketView } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'
import { readStatus, type StatusDependencies } from '../status/read-status.ts'

export interface SignDependencies extends StatusDependencies {
  readonly chain: Chain
  readonly market: MarketView
  readonly poseidon: Poseidon
  /** Makes settlement check for due orders now. Returns immediately. */
  readonly wake: () => void
}

/**
 * Stores the owner's signature of a payment and starts the payment. Idempotent: only the first valid signature is
 * stored. A later valid signature changes nothing and returns the status.
 *
 * @throws ServiceError ORDER_NOT_FOUND, SIGNATURE_INVALID, PAYMENT_EXPIRED, UPSTREAM_UNAVAILABLE.
 */
export async function signPayment(
  d: SignDependencies,
  accountId: string,
  trackingId: string,
  body: SignatureRequest,
): Promise<StatusResponse> {
  const id = decodeTrackingId(trackingId) ?? new Uint8Array(16)
  const payment = await d.orders.readPayment(accountId, id)
  const secrets = payment && (await d.secrets.read(payment.epoch))
  if (payment === undefined || secrets === undefined || payment.sealedTerms.length === 0) {
    throw new ServiceError('ORDER_NOT_FOUND')
  }
  const terms = decodePayment(secrets.open(id, 'payment', payment.sealedTerms))
  const signed = signatureOf(body)
  const { pool } = await d.market.fresh()
  if (!isValid(d.poseidon, pool.domain, { ...terms, validUntil: payment.validUntil }, signed)) {
    throw new ServiceError('SIGNATURE_INVALID')
  }
  if (payment.status === 'expired') throw new ServiceError('PAYMENT_EXPIRED')
  if (payment.status !== 'awaiting_signature') return readStatus(d, accountId, trackingId)
  const head = await askUpstream(() => d.chain.readHead())
  if (head.unixSeconds > payment.validUntil) throw new ServiceError('PAYMENT_EXPIRED')
  const nowMs = d.clock.nowMs()
  const isFirst = await d.orders.trySign(
    id,
    {
      sealedTerms: secrets.seal(id, 'payment', encodePayment({ ...terms, signed })),
      sealedPlan: secrets.seal(id, 'plan', encodePlan({ deliverAtMs: nowMs })),
    },
    nowMs,
  )
  if (isFirst) d.wake()
  const answer = await readStatus(d, accountId, trackingId)
  if (answer.order.status === 'expired') throw new ServiceError('PAYMENT_EXPIRED')
  return answer
}

const numberOf = (digits: string): bigint => BigInt(`0x${digits}`)

function signatureOf({ changeNk, signature: { S, R8x, R8y } }: SignatureRequest): PaymentSignature {
  const R8 = { x: numberOf(R8x), y: numberOf(R8y) }
  return { changeNk: numberOf(changeNk), signature: { S: numberOf(S), R8 } }
}

/** True if the circuit can prove the payment with this signature. */
function isValid(
  poseidon: Poseidon,
  domain: Uint8Array,
  terms: PaymentTerms & { readonly validUntil: bigint },
  { changeNk, signature }: PaymentSignature,
): boolean {
  const { note } = balanceTicket(terms.ticket)
  const { payee, payout, fee } = terms
  if (note.claim.kind !== 'balance' || changeNk >= FIELD_MODULUS) return false
  const change = { ...note, nk: changeNk, value: amount(note.value - payout - fee) }
  const message = paymentMessage(poseidon, {
    ...{ payee, payout, fee, validUntil: unixSeconds(terms.validUntil) },
    nullifier: nullifierOf(poseidon, note.nk, BigInt(terms.leafIndex)),
    changeLeaf: leafOfNote(poseidon, domain, change),
  })
  return eddsaVerify(poseidon, note.claim.owner, message, signature)
}
