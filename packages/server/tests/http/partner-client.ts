import {
  ErrorBody,
  OPERATIONS,
  type ErrorCode,
  type Operation,
  type Order,
  type Quote,
  type QuoteRequest,
  type QuoteResponse,
} from '@sotto/contract'
import { NATIVE_MINT } from '@sotto/protocol'
import { makeWallet } from '../settlement/stack/wallet.ts'
import type { HttpStack } from './http-stack.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}

export interface Sent {
  readonly body?: unknown
  /** The exact text of the body, which replaces `body`. */
  readonly text?: string
  readonly headers?: Record<string, string>
  readonly apiKey?: string
}

/** Sends a request, and checks the response against the contract's schema for a success or an error. */
export async function send(
  stack: HttpStack,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  sent: Sent = {},
): Promise<Answer> {
  const payload = sent.text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  const response = await fetch(stack.baseUrl + url, {
    method,
    headers: {
      authorization: `Bearer ${sent.apiKey ?? stack.apiKey}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await response.text()
  const body = JSON.parse(text) as Record<string, unknown>
  const operation = Object.values(OPERATIONS as Record<string, Operation>).find(
    (one) => one.method === method && patternOf(one.path).test(url.split('?')[0]!),
  )
  if (response.status !== 200) ErrorBody.parse(body)
  else operation!.response.parse(body)
  return { status: response.status, headers: response.headers, text, body }
}

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`)

/** Returns the code of an error response. */
export const codeOf = (answer: Answer): ErrorCode | undefined =>
  answer.status === 200 ? undefined : (answer.body['code'] as ErrorCode)

/** A request to send one SOL to a wallet that doesn't exist yet. */
export function solSend(stack: HttpStack, change: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    amount: '1000000000',
    sourceAssetId: NATIVE_MINT,
    destinationAssetId: NATIVE_MINT,
    senderAddress: stack.sender.address,
    recipientAddress: makeWallet().address,
    ...change,
  }
}

export async function quoteOf(stack: HttpStack, request: QuoteRequest): Promise<QuoteResponse> {
  const answer = await send(stack, 'POST', '/transfer/v1/quote', { body: request })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as QuoteResponse
}

/** The body of POST /order for a quote and the request of that quote. */
export function orderBody(quote: Quote, request: QuoteRequest): Record<string, unknown> {
  const { senderAddress, recipientAddress, feeBps, feeRecipientAddress } = request
  const partner = feeBps === undefined ? {} : { feeBps, feeRecipientAddress }
  return { quote, senderAddress, recipientAddress, ...partner }
}

export function order(
  stack: HttpStack,
  body: unknown,
  key?: string,
  more: Sent = {},
): Promise<Answer> {
  const headers = key === undefined ? {} : { 'x-idempotency-key': key }
  return send(stack, 'POST', '/transfer/v1/order', { body, ...more, headers })
}

/** Requests a quote and orders it. */
export async function placed(stack: HttpStack, request: QuoteRequest, key?: string) {
  const { quote } = await quoteOf(stack, request)
  const body = orderBody(quote, request)
  const answer = await order(stack, body, key)
  if (answer.status !== 200) throw new Error(answer.text)
  return { quote, body, answer, order: answer.body['order'] as Order }
}

export async function countOrders(stack: HttpStack): Promise<number> {
  const rows = await stack.database.query<{ id: unknown }>('SELECT id FROM orders', [])
  return rows.length
}
