import type { Order } from '@sotto/contract'
import {
  encodeTicket,
  type Address,
  type DepositTerms,
  type Note,
  type UnixSeconds,
  type Amount,
} from '@sotto/protocol'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { ChainHead } from '../../ports/chain.ts'
import { isoOfSeconds } from '../iso-time.ts'

/** The data for rendering an order, both for the first response and for each refresh. */
export interface OrderToRender {
  readonly program: Address
  readonly terms: DepositTerms
  /** The note that the deposit creates. Settling without the service requires the note. */
  readonly note: Note
  /** The latest end of the order's authorisations, in seconds of the chain's clock. */
  readonly payableUntil: UnixSeconds
  readonly amountOut: Amount
  readonly sourceSymbol: string
  readonly destinationSymbol: string
  /** Expected seconds until the delivery. */
  readonly eta: number
}

/** Renders an order for the API, with its recovery ticket. */
export function renderOrder(order: OrderToRender, transaction: string, head: ChainHead): Order {
  const { terms, note, program } = order
  return {
    trackingId: encodeTrackingId(terms.orderId),
    transaction,
    transactionEncoding: 'base64',
    amountIn: `${terms.amountIn}`,
    amountOut: `${order.amountOut}`,
    sourceSymbol: order.sourceSymbol,
    destinationSymbol: order.destinationSymbol,
    eta: order.eta,
    expiration: isoOfSeconds(terms.deadline),
    payableUntil: isoOfSeconds(order.payableUntil),
    // A blockhash expires at a block height. Each slot adds one to the height, except a slot without a block.
    blockhashExpiresAtSlot: wholeNumber(head.slot + head.lastValidBlockHeight - head.blockHeight),
    lastValidBlockHeight: wholeNumber(head.lastValidBlockHeight),
    deliverBy: isoOfSeconds(note.expiry),
    recovery: encodeTicket({ program, orderId: terms.orderId, note }),
  }
}
