import type { ErrorCode } from './error-registry.ts'
import { operation, type Operation } from './operation.ts'
import { LeavesResponse, ListLeavesQuery } from './schemas/leaves.ts'
import {
  CreateOrderRequest,
  CreatePaymentRequest,
  OrderResponse,
  PaymentOrderResponse,
  RefreshRequest,
  SignatureRequest,
} from './schemas/order.ts'
import { QuoteRequest, QuoteResponse } from './schemas/quote.ts'
import {
  DepositHintRequest,
  ListOrdersQuery,
  ListOrdersResponse,
  StatusResponse,
} from './schemas/status.ts'
import { TokensResponse } from './schemas/tokens.ts'
import { WEBHOOK_OPERATIONS } from './webhook-operations.ts'

export type { Access, Operation, Scope } from './operation.ts'

/**
 * Errors of checks that are made for the quote and again for the order, because the checked facts may have changed in
 * between.
 */
const BUSINESS = [
  'INVALID_ADDRESS', 'UNSUPPORTED_ASSET', 'FEE_RECIPIENT_REQUIRED', 'SCREENING_REFUSED',
  'FEE_BPS_EXCEEDS_CAP', 'FEE_RECIPIENT_NOT_REGISTERED', 'LIQUIDITY_UNAVAILABLE',
  'UPSTREAM_UNAVAILABLE', 'SERVICE_PAUSED',
] as const // oxfmt-ignore

/** Errors of the operations that make an order from a quote. */
const ONCE = [
  'IDEMPOTENCY_CONFLICT', 'ORDER_IN_PROGRESS', 'QUOTE_ALREADY_USED', 'QUOTE_MISMATCH',
  'QUOTE_EXPIRED', 'UNPAID_ORDERS_LIMIT',
] as const // oxfmt-ignore

/** Facts for submitting a transaction without the SDK. */
const SUBMITTING = `The sender signs \`transaction\`, and anyone may submit it to any node: JSON-RPC \`sendTransaction\` with \`encoding: "base64"\` and **\`preflightCommitment: "confirmed"\`**. The transaction's blockhash is newer than the finalized blocks. By default a node simulates on finalized blocks, doesn't know the blockhash yet, and answers "Blockhash not found". Submitting the same bytes again is safe. After \`lastValidBlockHeight\` the transaction can't land any more: refresh the order.`

const SIGNING = `The owner signs \`Poseidon(nullifier, payeeHi, payeeLo, payout, fee, changeLeaf, validUntil)\` of the order's \`payment\`. \`changeLeaf\` is the leaf of the note with the rest. That note's deadline is the later of two times: the beginning of the day (UTC) of \`validUntil\`, and the deadline of the note that pays. Both notes have the same life. The service can't make any other payment with this signature. Sending the same signature again is safe, and returns the status, or PAYMENT_EXPIRED if the payment has expired.`

const LEAVES = `This operation needs no key, because leaves are public on the chain. A reader can check them against the roots that the chain keeps, and need not trust this service. A page begins at a multiple of 1,024. \`Cache-Control\` says how long a page may be cached: a full page of 1,024 leaves never changes once 1,024 newer leaves are listed. A shorter page is the last one; request it again from the same index to get later leaves.`

/** Errors that any operation may return. */
const COMMON_ERRORS = [
  'INVALID_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED', 'INTERNAL',
] as const satisfies readonly ErrorCode[] // oxfmt-ignore

const OF_KEYS: ReadonlySet<ErrorCode> = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

/** Every error that an operation may return. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const ofBody = operation.body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)
  const isPublic = operation.scope === 'public'
  const common = isPublic ? COMMON_ERRORS.filter((code) => !OF_KEYS.has(code)) : COMMON_ERRORS
  return [...new Set([...common, ...ofBody, ...operation.errors])]
}

export const OPERATIONS = {
  quoteTransfer: operation({
    id: 'quoteTransfer',
    method: 'POST',
    path: '/transfer/v1/quote',
    summary: 'Calculates amounts, fees, limits and expected delivery before an order.',
    scope: 'write',
    body: QuoteRequest,
    response: QuoteResponse,
    errors: [
      'MODE_NOT_SUPPORTED', 'AMOUNT_OUT_OF_RANGE', 'RECIPIENT_NOT_PAYABLE',
      'FEE_RECIPIENT_NOT_PAYABLE', 'PRICE_UNAVAILABLE', 'BALANCE_NOT_FOUND', 'BALANCE_TOO_SMALL',
      'BALANCE_ENDED', ...BUSINESS,
    ], // oxfmt-ignore
  }),
  createOrder: operation({
    id: 'createOrder',
    method: 'POST',
    path: '/transfer/v1/order',
    summary: 'Creates an order from a quote and returns the unsigned transaction.',
    description: SUBMITTING,
    scope: 'write',
    body: CreateOrderRequest,
    takesKey: true,
    elsewhere: {
      balance: 'belongs to a payment out of a balance: order it with POST /transfer/v1/payment',
    },
    response: OrderResponse,
    errors: [...ONCE, 'PRICE_MOVED', 'PRICE_UNAVAILABLE', ...BUSINESS],
  }),
  refreshTransaction: operation({
    id: 'refreshTransaction',
    method: 'POST',
    path: '/transfer/v1/order/:trackingId/refresh',
    summary:
      'Issues a new transaction for the same deposit. At most one transaction of an order can land.',
    description: SUBMITTING,
    scope: 'write',
    body: RefreshRequest,
    response: OrderResponse,
    errors: [
      'ORDER_NOT_FOUND', 'ORDER_ALREADY_DEPOSITED', 'ORDER_EXPIRED', 'SCREENING_REFUSED',
      'PRICE_MOVED', 'PRICE_UNAVAILABLE', 'LIQUIDITY_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'SERVICE_PAUSED',
    ], // oxfmt-ignore
  }),
  createPayment: operation({
    id: 'createPayment',
    method: 'POST',
    path: '/transfer/v1/payment',
    summary:
      'Creates the order of a payment out of a balance and returns the message that the owner signs. No wallet has to sign.',
    scope: 'write',
    body: CreatePaymentRequest,
    takesKey: true,
    elsewhere: {
      balanceKey: 'belongs to the top-up of a balance: order it with POST /transfer/v1/order',
    },
    response: PaymentOrderResponse,
    errors: [
      ...ONCE, 'INVALID_ADDRESS', 'UNSUPPORTED_ASSET', 'SCREENING_REFUSED', 'BALANCE_NOT_FOUND',
      'BALANCE_ENDED', 'NOTE_IN_USE', 'LIQUIDITY_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE', 'SERVICE_PAUSED',
    ], // oxfmt-ignore
  }),
  signPayment: operation({
    id: 'signPayment',
    method: 'POST',
    path: '/transfer/v1/payment/:trackingId/signature',
    summary: "Accepts the owner's signature of a payment out of a balance.",
    description: SIGNING,
    scope: 'write',
    body: SignatureRequest,
    response: StatusResponse,
    errors: [
      'ORDER_NOT_FOUND', 'SIGNATURE_INVALID', 'NOTE_IN_USE', 'PAYMENT_EXPIRED', 'UPSTREAM_UNAVAILABLE',
    ], // oxfmt-ignore
  }),
  readStatus: operation({
    id: 'readStatus',
    method: 'GET',
    path: '/transfer/v1/status/:trackingId',
    summary: "Returns an order's status. Poll it every few seconds until `final` is true.",
    scope: 'read',
    response: StatusResponse,
    errors: ['ORDER_NOT_FOUND'],
  }),
  hintDeposit: operation({
    id: 'hintDeposit',
    method: 'POST',
    path: '/transfer/v1/deposit',
    summary: 'Hints that a deposit was made, so that the service checks the chain now.',
    scope: 'write',
    body: DepositHintRequest,
    response: StatusResponse,
    errors: ['ORDER_NOT_FOUND'],
  }),
  listTokens: operation({
    id: 'listTokens',
    method: 'GET',
    path: '/transfer/v1/tokens',
    summary: 'Lists the assets that can be sent and swapped.',
    scope: 'read',
    response: TokensResponse,
    errors: ['UPSTREAM_UNAVAILABLE'],
  }),
  listOrders: operation({
    id: 'listOrders',
    method: 'GET',
    path: '/transfer/v1/orders',
    summary: "Lists the account's own orders, newest first.",
    scope: 'read',
    query: ListOrdersQuery,
    response: ListOrdersResponse,
    errors: [],
  }),
  listLeaves: operation({
    id: 'listLeaves',
    method: 'GET',
    path: '/transfer/v1/leaves',
    summary:
      'Lists the leaves of the pool. With them, the holder of a recovery ticket can find the note.',
    description: LEAVES,
    scope: 'public',
    query: ListLeavesQuery,
    response: LeavesResponse,
    errors: [],
  }),
  ...WEBHOOK_OPERATIONS,
} as const
