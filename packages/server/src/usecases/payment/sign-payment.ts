import type { SignatureRequest, StatusResponse } from '@sotto/contract'
import {
  eddsaVerify,
  FIELD_MODULUS,
  leafOfNote,
  leftOf,
  nullifierOf,
  paymentMessage,
  type Poseidon,
  type UnixSeconds,
  sumOf,
  without,
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
import type { WorkHint } from '../../domain/work-hint.ts'
import type { Chain } from '../../ports/chain.ts'
import type { LeafPages } from '../../ports/leaf-pages.ts'
import { askUpstream } from '../ask-upstream.ts'
import type { MarketView } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'
import { readStatus, type StatusDependencies } from '../status/read-status.ts'
import { CLOCK_AGE_MAX_MS } from './payment-end.ts'
import { noteInUse, reservedNames } from './reserved-names.ts'

export interface SignDependencies extends StatusDependencies {
  readonly chain: Pick<Chain, 'readHead'>
  readonly leaves: Pick<LeafPages, 'find'>
  readonly market: Pick<MarketView, 'fresh'>
  readonly poseidon: Poseidon
  /** Makes settlement check for due orders now. Returns immediately. */
  readonly wake: (hint: WorkHint) => void
}

/** Seconds after which a client should request the newest note of the balance. */
const SPENT_SECONDS = 30

/**
 * Stores the owner's signature of a payment and starts the payment. Idempotent: only the first valid signature is
 * stored. A later valid signature changes nothing, and the response is the status.
 *
 * The change's leaf is reserved together with the signature. If two live payments had the same change leaf, the tree
 * couldn't show which of them landed.
 *
 * @throws ServiceError ORDER_NOT_FOUND, SIGNATURE_INVALID, PAYMENT_EXPIRED, UPSTREAM_UNAVAILABLE, NOTE_IN_USE.
 * NOTE_IN_USE has two causes. Either the tree already has the change of this payment, so an equal payment has spent the
 * note. Or another live payment has the same change.
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
  const { validUntil } = payment
  const changeLeaf = validChange(d.poseidon, pool.domain, { ...terms, validUntil }, signed)
  if (changeLeaf === undefined) {
    throw new ServiceError('SIGNATURE_INVALID')
  }
  if (payment.status === 'expired') throw new ServiceError('PAYMENT_EXPIRED')
  if (payment.status !== 'awaiting_signature') return readStatus(d, accountId, trackingId)
  const head = await askUpstream(() => d.chain.readHead(CLOCK_AGE_MAX_MS))
  if (head.unixSeconds > validUntil) throw new ServiceError('PAYMENT_EXPIRED')
  const changeIndex = await d.leaves.find(changeLeaf)
  if (changeIndex !== undefined && changeIndex > terms.leafIndex) {
    throw new ServiceError('NOTE_IN_USE', { retryAfterSeconds: SPENT_SECONDS })
  }
  const nowMs = d.clock.nowMs()
  const changeNames = await reservedNames(d.secrets, secrets, { kind: 'change', leaf: changeLeaf })
  const outcome = await d.orders.trySign(
    id,
    {
      changeNames,
      sealedTerms: secrets.seal(id, 'payment', encodePayment({ ...terms, signed })),
      sealedPlan: secrets.seal(id, 'plan', encodePlan({ deliverAtMs: nowMs })),
    },
    nowMs,
  )
  if (outcome === 'change_in_use') throw await noteInUse(d.orders, changeNames, head.unixSeconds)
  if (outcome === 'signed') d.wake('payment')
  const answer = await readStatus(d, accountId, trackingId)
  if (answer.order.status === 'expired') throw new ServiceError('PAYMENT_EXPIRED')
  return answer
}

const numberOf = (digits: string): bigint => BigInt(`0x${digits}`)

function signatureOf({ changeNk, signature, isLast }: SignatureRequest): PaymentSignature {
  const { S, R8x, R8y } = signature
  const R8 = { x: numberOf(R8x), y: numberOf(R8y) }
  return {
    ...{ changeNk: numberOf(changeNk), signature: { S: numberOf(S), R8 } },
    isLast: isLast === true ? true : undefined,
  }
}

/**
 * Computes the leaf of a payment's change. Returns undefined if the circuit can't prove the payment with this
 * signature.
 */
function validChange(
  poseidon: Poseidon,
  domain: Uint8Array,
  terms: PaymentTerms & { readonly validUntil: UnixSeconds },
  { changeNk, signature }: PaymentSignature,
): bigint | undefined {
  const { note } = balanceTicket(terms.ticket)
  const { payee, payout, fee } = terms
  if (note.claim.kind !== 'balance' || changeNk >= FIELD_MODULUS) return undefined
  const value = without(note.value, sumOf([payout, fee]))
  const change = leftOf(note, { nk: changeNk, value, validUntil: terms.validUntil })
  const changeLeaf = leafOfNote(poseidon, domain, change)
  const message = paymentMessage(poseidon, {
    ...{ payee, payout, fee, validUntil: terms.validUntil, changeLeaf },
    nullifier: nullifierOf(poseidon, note.nk, BigInt(terms.leafIndex)),
  })
  return eddsaVerify(poseidon, note.claim.owner, message, signature) ? changeLeaf : undefined
}
