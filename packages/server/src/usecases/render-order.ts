import type { Order } from '@sotto/contract'
import { amount, encodeTicket, unixSeconds, type Address } from '@sotto/protocol'
import { expectedSeconds, type Delays } from '../domain/delivery-schedule.ts'
import { encodeTrackingId } from '../domain/tracking-id.ts'
import type { ChainHead } from '../ports/chain.ts'
import { isoOfSeconds, wholeNumber } from './iso-time.ts'

/** What an order's answer is made from, first and after each refresh. */
export interface OrderToRender {
  readonly program: Address
  readonly orderId: Uint8Array
  readonly noteKey: bigint
  readonly sender: Address
  readonly recipient: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly sourceSymbol: string
  readonly destinationSymbol: string
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Service and network fee. */
  readonly fee: bigint
  readonly deadline: bigint
  readonly expiry: bigint
  readonly delays: Delays
}

/** The order object of the interface, with its recovery ticket. */
export function renderOrder(order: OrderToRender, transaction: string, head: ChainHead): Order {
  const isSend = order.sourceMint === order.destinationMint
  const ticket = encodeTicket({
    program: order.program,
    orderId: order.orderId,
    note: {
      nk: order.noteKey,
      recipient: order.recipient,
      sender: order.sender,
      mint: order.destinationMint,
      amountOut: amount(order.amountOut),
      feeBack: amount(isSend ? order.fee : 0n),
      expiry: unixSeconds(order.expiry),
    },
  })
  return {
    trackingId: encodeTrackingId(order.orderId),
    transaction,
    transactionEncoding: 'base64',
    amountIn: `${order.amountIn}`,
    amountOut: `${order.amountOut}`,
    sourceSymbol: order.sourceSymbol,
    destinationSymbol: order.destinationSymbol,
    eta: expectedSeconds(order.delays),
    expiration: isoOfSeconds(order.deadline),
    // The hash dies by height; heights and slots advance together except where a slot stays empty.
    blockhashExpiresAtSlot: wholeNumber(head.slot + head.lastValidBlockHeight - head.blockHeight),
    lastValidBlockHeight: wholeNumber(head.lastValidBlockHeight),
    deliverBy: isoOfSeconds(order.expiry),
    recovery: ticket,
  }
}
