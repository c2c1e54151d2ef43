import type { Order } from '@sotto/contract'
import {
  amount,
  associatedTokenAddress,
  decodeTicket,
  innerCommitment,
  type Claim,
  type Address,
  type DepositData,
  type DepositTerms,
  type Poseidon,
  type Ticket,
  type Amount,
  type UnixSeconds,
} from '@sotto/protocol'
import { getBase64Encoder } from '@solana/kit'
import { secondsOfIso } from '../host/iso-time.ts'
import type { ChainFacts } from './chain-facts.ts'
import type { QuotedAmounts } from './check-quote.ts'
import type { DeliveryTerms } from './check-terms.ts'
import type { ExpectedTransfer } from './expected-transfer.ts'
import { refuse } from './refusal.ts'

/**
 * The last character of 16 bytes in base64 has four unused bits. They must be 0, so that an order id has only one
 * tracking id. Otherwise the records of an order wouldn't be found under another spelling of its id.
 */
const TRACKING_ID = /^tr_[A-Za-z0-9_-]{21}[AQgw]$/
const ORDER_ID_BYTES = 16

/** The 16 bytes that an order's tracking id encodes. @throws OrderRefusedError for any other text. */
export function orderIdOf(trackingId: string): Uint8Array {
  if (!TRACKING_ID.test(trackingId)) return refuse('order', 'the tracking id is invalid')
  const base64 = trackingId.slice(3).replaceAll('-', '+').replaceAll('_', '/')
  return new Uint8Array(getBase64Encoder().encode(`${base64}==`)).slice(0, ORDER_ID_BYTES)
}

/** Converts a timestamp of the service to seconds since 1970. @throws OrderRefusedError for any other text. */
export const secondsOf = (time: string): UnixSeconds =>
  secondsOfIso(time) ?? refuse('order', 'the order holds an invalid time')

/** The order's recovery ticket. @throws OrderRefusedError if the ticket is invalid. */
export function readTicket(order: Order): Ticket {
  try {
    return decodeTicket(order.recovery)
  } catch (cause) {
    return refuse('ticket', "the order's recovery ticket cannot be read", cause)
  }
}

export interface TermsSources {
  readonly order: Order
  readonly expected: ExpectedTransfer
  readonly quoted: QuotedAmounts
  readonly ticket: Ticket
  readonly facts: ChainFacts
  readonly poseidon: Poseidon
}

/**
 * The values that are hashed in the deposit. The ticket must contain the values themselves.
 * @throws OrderRefusedError if the order contains an invalid time.
 */
export const expectedDelivery = ({ order, expected }: TermsSources): DeliveryTerms => ({
  recipient: expected.recipient,
  amountOut: amount(expected.amountOut),
  expiry: secondsOf(order.deliverBy),
  owner: expected.balance?.owner,
})

function claimOf({ recipient, amountOut, owner }: DeliveryTerms): Claim {
  if (owner !== undefined) return { kind: 'balance', owner }
  return { kind: 'transfer', recipient, amountOut }
}

/**
 * Computes the expected terms from the request, the quote, the order's own members and the ticket. Only two terms come
 * from the transaction itself: the payload, which only the service can read, and the end of a swap's authorisation. A
 * swap's value comes from the ticket, because the request and the quote don't contain it.
 */
export async function expectedTerms(
  sources: TermsSources,
  deposit: DepositData,
): Promise<DepositTerms> {
  const { order, expected, quoted, ticket, facts, poseidon } = sources
  const deadline = secondsOf(order.expiration)
  const isSend = expected.sourceAssetId === expected.destinationAssetId
  const delivery = expectedDelivery(sources)
  return {
    orderId: orderIdOf(order.trackingId),
    sender: expected.sender,
    sourceMint: expected.sourceAssetId,
    destinationMint: expected.destinationAssetId,
    amountIn: amount(expected.amountIn),
    value: isSend ? amount(expected.amountIn - quoted.partnerFee) : ticket.note.value,
    partnerFee: quoted.partnerFee,
    partnerAccount: await partnerAccount(expected, quoted.partnerFee, facts.tokenProgram),
    deadline,
    validUntil: isSend ? deadline : deposit.validUntil,
    inner: innerCommitment(poseidon, {
      nk: ticket.note.nk,
      claim: claimOf(delivery),
      expiry: delivery.expiry,
    }),
    payload: deposit.payload,
  }
}

async function partnerAccount(
  { partner, sourceAssetId }: ExpectedTransfer,
  share: Amount,
  tokenProgram: Address | undefined,
): Promise<Address | undefined> {
  // A share that is zero after rounding isn't paid.
  if (share === 0n || partner === undefined) return undefined
  if (tokenProgram === undefined) return partner.wallet
  return associatedTokenAddress(partner.wallet, sourceAssetId, tokenProgram)
}
