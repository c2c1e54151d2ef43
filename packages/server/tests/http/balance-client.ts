import type { Order, Payment, PaymentOrder, QuoteRequest, SignatureRequest } from '@sotto/contract'
import { wasmPoseidon } from '@sotto/poseidon'
import {
  amount,
  ceilToGrid,
  changeOf,
  decodeTicket,
  encodeTicket,
  leafOfNote,
  NATIVE_MINT,
  nullifierOf,
  ownerOf,
  packOwner,
  paymentMessage,
  signPayment,
  unixSeconds,
  type Note,
} from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import type { HttpStack } from './http-stack.ts'
import { order, orderBody, quoteOf, send, solSend, type Answer } from './partner-client.ts'

/** A balance's note as its owner knows it. */
export interface OwnBalance {
  readonly note: Note
  readonly secret: bigint
  /** If set, a value that differs from the note's value. The ticket then names a note that doesn't exist. */
  readonly value?: bigint
}

const drawSecret = () => BigInt(`0x${randomBytes(16).toString('hex')}`)
const poseidon = wasmPoseidon
const domainOf = (stack: HttpStack) => stack.market.latest!.pool.domain

/**
 * Opens another balance of the same owner. The two notes differ only in their keys. Payments out of both balances can
 * therefore have change with the same leaf.
 */
export async function siblingOf(
  stack: HttpStack,
  { note, secret }: OwnBalance,
): Promise<OwnBalance> {
  const sibling = { ...note, nk: drawSecret() }
  await follow(stack, sibling)
  return { note: sibling, secret }
}

/** Opens a balance of half a SOL. The service has recorded its leaf. */
export async function ownBalance(
  stack: HttpStack,
  { lifeSeconds = 86_400n } = {},
): Promise<OwnBalance> {
  const secret = drawSecret()
  const { unixSeconds: clock } = await clockOf(stack)
  const note: Note = {
    claim: { kind: 'balance', owner: ownerOf(secret) },
    ...{ nk: drawSecret(), sender: stack.sender.address, mint: NATIVE_MINT },
    ...{ value: amount(500_000_000n), deadline: ceilToGrid(clock) },
    expiry: unixSeconds(clock + lifeSeconds),
  }
  await follow(stack, note)
  return { note, secret }
}

/** Opens a balance with an order of the service. The service has recorded its leaf. */
export async function toppedUpBalance(stack: HttpStack) {
  const secret = drawSecret()
  const own = { recipientAddress: stack.sender.address, balanceKey: keyOf(secret) }
  const { quote } = await quoteOf(stack, solSend(stack, own))
  const { senderAddress } = solSend(stack, own)
  const { body } = await order(stack, { quote, senderAddress, ...own })
  const { recovery: ticket } = body['order'] as Order
  const { note, orderId } = decodeTicket(ticket)
  await follow(stack, note)
  const [row] = await stack.database.query<{ epoch: number }>(
    'SELECT epoch::integer AS epoch FROM orders WHERE id = $1',
    [orderId],
  )
  return { balance: { note, secret }, ticket, orderId, epoch: row!.epoch }
}

const keyOf = (secret: bigint) => Buffer.from(packOwner(ownerOf(secret))).toString('hex')

/** Adds a note's leaf to the service's tree. */
async function follow(stack: HttpStack, note: Note): Promise<void> {
  const leaf = leafOfNote(poseidon, domainOf(stack), note).toString(16).padStart(64, '0')
  await stack.database.query(
    `INSERT INTO leaves SELECT COALESCE(MAX(leaf_index), -1) + 1, decode($1, 'hex') FROM leaves`,
    [leaf],
  )
}

async function clockOf(stack: HttpStack) {
  const slot = await stack.rpc.getSlot({ commitment: 'confirmed' }).send()
  return { unixSeconds: BigInt(await stack.rpc.getBlockTime(slot).send()) }
}

export const ticketOf = ({ note, value }: OwnBalance): string =>
  encodeTicket({
    ...{ program: PROGRAM, orderId: new Uint8Array(16) },
    note: value === undefined ? note : { ...note, value: amount(value) },
  })

/** Requests a quote of a payment. Returns the response together with the request. */
export async function balanceQuote(
  stack: HttpStack,
  balance: OwnBalance,
  change: Partial<QuoteRequest> = {},
): Promise<Answer & { readonly request: QuoteRequest }> {
  const request: QuoteRequest = {
    ...{ amount: '100000000', sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
    ...{ senderAddress: balance.note.sender, recipientAddress: makeWallet().address },
    ...{ balance: ticketOf(balance), ...change },
  }
  return { ...(await send(stack, 'POST', '/transfer/v1/quote', { body: request })), request }
}

/** The body of POST /payment for a quote and the request of that quote. */
export const paymentBody = (
  { body }: Pick<Answer, 'body'>,
  request: QuoteRequest,
): Record<string, unknown> => ({
  ...orderBody(body['quote'] as never, request),
  balance: request.balance,
})

export const pay = (stack: HttpStack, body: unknown): Promise<Answer> =>
  send(stack, 'POST', '/transfer/v1/payment', { body })

/** Quotes and orders a payment. */
export async function orderPayment(
  stack: HttpStack,
  balance: OwnBalance,
  change: Partial<QuoteRequest> = {},
) {
  const quoted = await balanceQuote(stack, balance, change)
  if (quoted.status !== 200) throw new Error(quoted.text)
  const body = paymentBody(quoted, quoted.request)
  const answer = await pay(stack, body)
  if (answer.status !== 200) throw new Error(answer.text)
  return { body, answer, order: answer.body['order'] as PaymentOrder }
}

const hex = (value: bigint) => value.toString(16).padStart(64, '0')

/** The owner's signature of a payment that was ordered. The owner may choose the key of the change. */
export function signatureOf(
  stack: HttpStack,
  { note, secret }: OwnBalance,
  payment: Payment,
  changeNk?: string,
): SignatureRequest {
  const nullifier = nullifierOf(poseidon, note.nk, BigInt(payment.leafIndex))
  const validUntil = unixSeconds(BigInt(Date.parse(payment.validUntil) / 1_000))
  const own = changeOf(poseidon, note, {
    ...{ nullifier, secret, validUntil },
    change: amount(BigInt(payment.change)),
  })
  const left = changeNk === undefined ? own : { ...own, nk: BigInt(`0x${changeNk}`) }
  const message = paymentMessage(poseidon, {
    ...{ nullifier, payee: payment.payee as never },
    ...{ payout: amount(BigInt(payment.payout)), fee: amount(BigInt(payment.fee)) },
    ...{ changeLeaf: leafOfNote(poseidon, domainOf(stack), left), validUntil },
  })
  const { S, R8 } = signPayment(poseidon, secret, message)
  return { changeNk: hex(left.nk), signature: { S: hex(S), R8x: hex(R8.x), R8y: hex(R8.y) } }
}

export const sendSignature = (
  stack: HttpStack,
  trackingId: string,
  body: SignatureRequest,
): Promise<Answer> => send(stack, 'POST', `/transfer/v1/payment/${trackingId}/signature`, { body })
