import { encodeTerms } from '../../domain/order-secrets.ts'
import type { NewOrder } from '../../ports/order-store.ts'
import type { OrderDraft } from './draft-order.ts'
import { storedFingerprint } from './fingerprint.ts'

export interface FirstRequest {
  readonly accountId: string
  readonly idempotencyKey: string | undefined
  readonly received: Readonly<Record<string, unknown>>
  readonly quoteNonce: Uint8Array
  readonly reference: string | undefined
  readonly lastValidBlockHeight: bigint
  /** The response's bytes, the same for every retry. */
  readonly body: Uint8Array
  readonly createdAtMs: number
  /** The stated chance that an observer of the chain guesses the true sender, between 0 and 1. */
  readonly linkProbability: number | undefined
  readonly network: Uint8Array | undefined
}

/**
 * Creates the row of an order. This function seals all data that links deposit and delivery. Each column is copied by
 * name, because spreading the rest of an object takes longer than sealing the data.
 */
export function newOrderOf(draft: OrderDraft, request: FirstRequest): NewOrder {
  const { secrets, terms, note, recipient, topUp, accountExisted, delays, crowd } = draft
  const { linkProbability } = request
  const { orderId } = terms
  const { minDelaySeconds, maxDelaySeconds } = delays
  const sealedTerms = encodeTerms({
    recipient,
    accountExisted,
    minDelaySeconds,
    maxDelaySeconds,
    crowd,
    owner: topUp?.key,
    isUnkept: topUp?.isReturned === false ? true : undefined,
    linkProbability,
  })
  return {
    id: orderId,
    accountId: request.accountId,
    quoteNonce: request.quoteNonce,
    idempotencyKey: request.idempotencyKey,
    fingerprint: storedFingerprint(secrets, request.received),
    epoch: secrets.epoch,
    reference: request.reference,
    sourceMint: terms.sourceMint,
    destinationMint: terms.destinationMint,
    amountIn: terms.amountIn,
    partnerFee: terms.partnerFee,
    value: terms.value,
    amountOut: draft.amountOut,
    sender: terms.sender,
    partnerAccount: terms.partnerAccount,
    deadline: terms.deadline,
    validUntil: draft.payableUntil,
    expiry: note.expiry,
    inner: terms.inner,
    leaf: draft.leaf,
    payload: terms.payload,
    lastValidBlockHeight: request.lastValidBlockHeight,
    sealedTerms: secrets.seal(orderId, 'terms', sealedTerms),
    sealedResponse: secrets.seal(orderId, 'response', request.body),
    createdAtMs: request.createdAtMs,
    network: request.network,
  }
}
