import {
  PARTNER_ORDER,
  PARTNER_ORDER_REQUEST,
  REFRESHED_ORDER,
  SEND_ORDER,
  SEND_ORDER_REQUEST,
} from './examples/orders.ts'
import {
  EXACT_OUT_QUOTE,
  EXACT_OUT_REQUEST,
  SEND_QUOTE,
  SEND_REQUEST,
  SWAP_QUOTE,
  SWAP_REQUEST,
} from './examples/quotes.ts'
import {
  PAYMENT_ID,
  PAYMENT_ORDER,
  PAYMENT_QUOTE,
  PAYMENT_QUOTE_REQUEST,
  PAYMENT_REQUEST,
  SIGNATURE,
  SIGNED_PAYMENT,
} from './examples/payments.ts'
import { LEAVES } from './examples/leaves.ts'
import { AWAITING, DELIVERED, ORDERS } from './examples/statuses.ts'
import { TOKENS } from './examples/tokens.ts'
import { WEBHOOK_EXAMPLES } from './examples/webhooks.ts'
import type { OPERATIONS } from './operations.ts'

/** An example of a request body or a response. */
export interface Example {
  readonly summary: string
  readonly value: unknown
}

/**
 * An operation's examples in the document. A response has the name of its request, or `default` if the request has no
 * body. The server's tests send every example request and compare the service's response with the example.
 */
export interface OperationExamples {
  readonly parameters?: Readonly<Record<string, string>>
  readonly requests?: Readonly<Record<string, Example>>
  readonly responses: Readonly<Record<string, Example>>
}

const { trackingId } = SEND_ORDER.order

/** Examples of every operation. This file doesn't compile if an operation has no examples. */
export const EXAMPLES: Readonly<Record<keyof typeof OPERATIONS, OperationExamples>> = {
  listTokens: { responses: { default: { summary: 'Two assets', value: TOKENS } } },
  quoteTransfer: {
    requests: {
      send: { summary: 'Send one SOL, fees included', value: SEND_REQUEST },
      exactOut: { summary: '250 USDC arrive; the partner takes 0.5 %', value: EXACT_OUT_REQUEST },
      swap: { summary: 'One SOL arrives as USDC, 1 to 10 minutes later', value: SWAP_REQUEST },
      payment: { summary: 'Pay 0.1 SOL out of a balance', value: PAYMENT_QUOTE_REQUEST },
    },
    responses: {
      send: { summary: 'Send one SOL, fees included', value: SEND_QUOTE },
      exactOut: { summary: '250 USDC arrive; the partner takes 0.5 %', value: EXACT_OUT_QUOTE },
      swap: { summary: 'One SOL arrives as USDC, 1 to 10 minutes later', value: SWAP_QUOTE },
      payment: { summary: 'Pay 0.1 SOL out of a balance', value: PAYMENT_QUOTE },
    },
  },
  createOrder: {
    parameters: { 'X-Idempotency-Key': 'invoice-7' },
    requests: {
      send: { summary: 'With a reference of your own', value: SEND_ORDER_REQUEST },
      exactOut: { summary: "With the partner's fee", value: PARTNER_ORDER_REQUEST },
    },
    responses: {
      send: { summary: 'With a reference of your own', value: SEND_ORDER },
      exactOut: { summary: "With the partner's fee", value: PARTNER_ORDER },
    },
  },
  refreshTransaction: {
    parameters: { trackingId },
    requests: { send: { summary: 'No body', value: {} } },
    responses: { send: { summary: 'The same order, a newer transaction', value: REFRESHED_ORDER } },
  },
  createPayment: {
    parameters: { 'X-Idempotency-Key': 'salary-7' },
    requests: { send: { summary: 'The quote, and its balance', value: PAYMENT_REQUEST } },
    responses: { send: { summary: 'What the owner signs', value: PAYMENT_ORDER } },
  },
  signPayment: {
    parameters: { trackingId: PAYMENT_ID },
    requests: { send: { summary: "The owner's signature", value: SIGNATURE } },
    responses: { send: { summary: 'The payment is on its way', value: SIGNED_PAYMENT } },
  },
  hintDeposit: {
    requests: {
      send: {
        summary: 'After the transaction was submitted',
        value: { trackingId, signature: DELIVERED.order.deposit?.signature },
      },
    },
    responses: { send: { summary: 'The current status', value: AWAITING } },
  },
  readStatus: {
    parameters: { trackingId },
    responses: {
      default: { summary: 'Nothing signed yet', value: AWAITING },
      delivered: { summary: 'Delivered; stop polling', value: DELIVERED },
    },
  },
  listOrders: {
    parameters: { limit: '1' },
    responses: { default: { summary: 'A page of one order, and more to come', value: ORDERS } },
  },
  listLeaves: {
    parameters: { from: '1024' },
    responses: { default: { summary: 'The last page, of two leaves', value: LEAVES } },
  },
  ...WEBHOOK_EXAMPLES,
}
