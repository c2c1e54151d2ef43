import type { Order } from '@sotto/contract'
import { encodeTicket, type Address, type DepositTerms } from '@sotto/protocol'
import { expectedSeconds, type Delays } from '../../domain/delivery-schedule.ts'
import { noteOf } from '../../domain/note-of.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { ChainHead } from '../../ports/chain.ts'
import { isoOfSeconds } from '../iso-time.ts'

/** The data of an order's answer, the first time and after each refresh. */
export interface OrderToRender {
  readonly program: Address
  readonly terms: DepositTerms
  /** The latest end of the order's authorisations, in seconds of the chain's clock. */
  readonly payableUntil: bigint
  readonly noteKey: bigint
  readonly recipient: Address
  readonly sourceSymbol: string
  readonly destinationSymbol: string
  readonly delays: Delays
}

/** The order object of the interface, with its recovery ticket. */
export function renderOrder(order: OrderToRender, transaction: string, head: ChainHead): Order {
  const { terms } = order
  const ticket = encodeTicket({
    program: order.program,
    orderId: terms.orderId,
    note: noteOf(terms, { nk: order.noteKey, recipient: order.recipient }),
  })
  return {
    trackingId: encodeTrackingId(terms.orderId),
    transaction,
    transactionEncoding: 'base64',
    amountIn: `${terms.amountIn}`,
    amountOut: `${terms.amountOut}`,
    sourceSymbol: order.sourceSymbol,
    destinationSymbol: order.destinationSymbol,
    eta: expectedSeconds(order.delays),
    expiration: isoOfSeconds(terms.deadline),
    payableUntil: isoOfSeconds(order.payableUntil),
    // The hash expires by height; heights and slots advance together except for empty slots.
    blockhashExpiresAtSlot: wholeNumber(head.slot + head.lastValidBlockHeight - head.blockHeight),
    lastValidBlockHeight: wholeNumber(head.lastValidBlockHeight),
    deliverBy: isoOfSeconds(terms.expiry),
    recovery: ticket,
  }
}
