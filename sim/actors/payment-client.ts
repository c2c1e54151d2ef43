import type { PaymentOrder, QuoteResponse, SignatureRequest } from '@sotto/contract'
import { encodeTicket, type Address, type OwnerSignature } from '@sotto/protocol'
import { decodeTrackingId } from '../../packages/server/src/domain/tracking-id.ts'
import { ServiceError } from '../../packages/server/src/usecases/service-error.ts'
import type { Payer, SpentNote } from '../chain/spent-notes.ts'
import type { Api } from './api.ts'
import type { BalanceOwner } from './balance-owner.ts'
import { attempt } from './place-order.ts'

/** Number of tries to order a payment, or to send its signature, before the owner gives up. */
const TRIES = 20
const PAUSE_MS = 8_000
const END_SECONDS_MAX = 1_200n

/** The service at which an owner orders a payment. */
export interface PayingService {
  readonly payer: Exclude<Payer, 'owner'>
  readonly api: Api
}

/** A payment that the service has accepted and the owner hasn't signed yet. */
export interface OrderedPayment extends PayingService {
  readonly trackingId: string
  /** The id of the payment's order in hex. */
  readonly key: string
  readonly payee: Address
  readonly payout: bigint
  readonly fee: bigint
  readonly validUntil: bigint
}

/** The payment that the owner wants, in base units, fees included. */
export interface WantedPayment {
  readonly note: SpentNote
  readonly payee: Address
  readonly gross: bigint
}

/** Quotes and orders a payment; undefined if the service never accepts it. */
export async function orderPayment(
  owner: BalanceOwner,
  service: PayingService,
  wanted: WantedPayment,
): Promise<OrderedPayment | undefined> {
  const { stage, random } = owner
  const { note } = wanted.note
  const orderId = new Uint8Array(Buffer.from(owner.order?.key ?? '', 'hex'))
  const balance = encodeTicket({ program: stage.parties.program, orderId, note })
  const request = {
    ...{ amount: `${wanted.gross}`, mode: 'exact_in' as const, balance },
    ...{ sourceAssetId: note.mint, destinationAssetId: note.mint },
    ...{ senderAddress: owner.sender, recipientAddress: wanted.payee },
  }
  for (let tries = 0; tries < TRIES; tries += 1) {
    const quoted = await attempt(owner, () => service.api.quote(request), tries)
    if (quoted === 'over' || quoted === 'new_quote') return undefined
    if (quoted === 'again') continue
    const order = await orderOf(owner, service, quoted, request)
    if (order === undefined) return undefined
    if (order !== 'again') return checked(owner, service, wanted, order)
    await stage.timeline.pause(random.below(PAUSE_MS))
  }
  return undefined
}

async function orderOf(
  owner: BalanceOwner,
  { api }: PayingService,
  { quote }: QuoteResponse,
  { senderAddress, recipientAddress, balance }: Record<string, string>,
): Promise<PaymentOrder | 'again' | undefined> {
  const body = { quote: { ...quote }, senderAddress, recipientAddress, balance }
  const request = { body, received: body } as unknown as Parameters<Api['pay']>[0]
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await attempt(
      owner,
      () => api.pay({ ...request, idempotencyKey: undefined }),
      tries,
    )
    if (answer === 'again') continue
    if (answer === 'new_quote') return 'again'
    if (answer === 'over') return undefined
    const { order } = JSON.parse(new TextDecoder().decode(answer.body)) as { order: PaymentOrder }
    return order
  }
  return undefined
}

/**
 * Returns an ordered payment. Fails the run if the owner requested a different payment, or if the payment ends too
 * late. Also fails if the index of the payment's note differs from the index that the owner's node shows.
 */
function checked(
  { stage, name }: BalanceOwner,
  { payer, api }: PayingService,
  { note, payee, gross }: WantedPayment,
  { trackingId, payment }: PaymentOrder,
): OrderedPayment {
  const [payout, fee] = [BigInt(payment.payout), BigInt(payment.fee)]
  const validUntil = BigInt(Date.parse(payment.validUntil) / 1_000)
  const { unixSeconds: clock } = stage.chain.newest
  const isWanted =
    payment.payee === payee &&
    payout + fee === gross &&
    BigInt(payment.change) === note.note.value - gross &&
    payment.leafIndex === note.leafIndex &&
    validUntil <= note.note.expiry &&
    validUntil <= clock + END_SECONDS_MAX
  if (!isWanted) stage.watch.fail('an ordered payment equals the requested payment', name)
  const key = Buffer.from(decodeTrackingId(trackingId) ?? []).toString('hex')
  return { payer, api, trackingId, key, payee, payout, fee, validUntil }
}

const digitsOf = (element: bigint): string => element.toString(16).padStart(64, '0')

/** The body of the HTTP request that sends a signature. */
export function signatureBody(changeNk: bigint, { S, R8 }: OwnerSignature): SignatureRequest {
  const signature = { S: digitsOf(S), R8x: digitsOf(R8.x), R8y: digitsOf(R8.y) }
  return { changeNk: digitsOf(changeNk), signature }
}

/** Error codes after which the owner can't succeed by sending the signature again. */
const REFUSALS = ['SIGNATURE_INVALID', 'PAYMENT_EXPIRED', 'ORDER_NOT_FOUND', 'NOTE_IN_USE'] as const
export type SignatureAnswer = (typeof REFUSALS)[number] | 'taken' | 'unknown'

/**
 * Sends a signature until the service accepts it or refuses it permanently. Returns `unknown` if the service does
 * neither.
 */
export async function handIn(
  { stage, random, name }: BalanceOwner,
  { api, trackingId }: OrderedPayment,
  body: SignatureRequest,
): Promise<SignatureAnswer> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      await api.sign(trackingId, body)
      return 'taken'
    } catch (error) {
      const code = error instanceof ServiceError ? error.code : 'failed'
      stage.trace.add(stage.timeline.nowMs, name, `signature refused ${code}`)
      const refusal = REFUSALS.find((one) => one === code)
      if (refusal !== undefined) return refusal
    }
    await stage.timeline.pause(random.between(1_000, PAUSE_MS) * (1 + Math.floor(tries / 4)))
  }
  return 'unknown'
}
