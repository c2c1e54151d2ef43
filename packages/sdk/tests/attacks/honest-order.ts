import type { Order, Quote, QuoteRequest } from '@sotto/contract'
import type { Address, DepositTerms } from '@sotto/protocol'
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type HttpStack } from '../../../server/tests/http/http-stack.ts'
import { solSend } from '../../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../../server/tests/settlement/stack/localnet-process.ts'
import { createSottoClient } from '../../server.ts'
import {
  PROGRAM_SHA256,
  readChainFacts,
  verifyOrder,
  type ChainFacts,
  type ExpectedTransfer,
  type OrderToVerify,
} from '../../wallet.ts'

/** A real order of a real service, and everything that a dishonest operator would have. */
export interface HonestOrder {
  readonly program: Address
  readonly order: Order
  readonly quote: Quote
  readonly expected: ExpectedTransfer
  readonly facts: ChainFacts
  readonly terms: DepositTerms
  /** The pool's real authoriser. The operator can sign anything with it. */
  readonly authoriser: KeyPairSigner
}

export const clientOf = (stack: HttpStack) =>
  createSottoClient({ baseUrl: stack.baseUrl, apiKey: stack.apiKey })

export async function readSigner(file: string): Promise<KeyPairSigner> {
  const bytes = JSON.parse(await readFile(file, 'utf8')) as number[]
  return createKeyPairSignerFromBytes(new Uint8Array(bytes))
}

/** The committed program, which has a development key, on a local chain. */
export const LOCAL_PROGRAM = { acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true }

/** A careful caller's input for verifying a new order. It needs no node, because the facts were already read. */
export const inputOf = ({
  order,
  quote,
  expected,
  facts,
  program,
}: HonestOrder): OrderToVerify => ({
  ...{ order, quote, expected, facts, programId: program, refreshed: null, ...LOCAL_PROGRAM },
})

/** The transfer that the sender wants according to the request, with the amounts of the quote that the sender saw. */
export function expectedOf(request: QuoteRequest, quote: Quote): ExpectedTransfer {
  const { feeBps, feeRecipientAddress } = request
  return {
    sender: request.senderAddress as Address,
    recipient: request.recipientAddress as Address,
    sourceAssetId: request.sourceAssetId as Address,
    destinationAssetId: request.destinationAssetId as Address,
    amountIn: BigInt(quote.amountIn),
    amountOut: BigInt(quote.amountOut),
    minOut: BigInt(quote.amountOut),
    partner: feeBps === undefined ? undefined : { wallet: feeRecipientAddress as Address, feeBps },
  }
}

/** The path of the pool's authoriser in a stack. */
export const authoriserFile = ({ settings }: HttpStack): string =>
  join(settings['SOTTO_KEYS']!, 'authoriser.json')

export async function placeHonestOrder(
  stack: HttpStack,
  program: Address,
  request: QuoteRequest,
): Promise<HonestOrder> {
  const client = clientOf(stack)
  const { quote } = await client.quote(request)
  const { senderAddress, recipientAddress, feeBps, feeRecipientAddress } = request
  const order = await client.createOrder({
    ...{ quote, senderAddress, recipientAddress, feeBps, feeRecipientAddress },
  })
  const expected = expectedOf(request, quote)
  const facts = await readChainFacts(stack.rpc, program, expected.sourceAssetId)
  const asked = { order, quote, expected, programId: program, refreshed: null, rpc: stack.rpc }
  const { terms } = await verifyOrder({ ...asked, ...LOCAL_PROGRAM })
  const authoriser = await readSigner(authoriserFile(stack))
  return { program, order, quote, expected, facts, terms, authoriser }
}

/** Honest orders by their names in `ATTACKED`: sends of each kind and a swap, most with a partner's share. */
export async function placeHonestOrders(
  stack: HttpStack,
): Promise<ReadonlyMap<string, HonestOrder>> {
  const { usdc, partner } = stack
  const share = { feeBps: 50, feeRecipientAddress: partner.address }
  const tokens = { sourceAssetId: usdc, destinationAssetId: usdc }
  const requests = {
    'a send of SOL': solSend(stack, share),
    'a send of SOL without a partner': solSend(stack),
    'a send of USDC': solSend(stack, { ...share, ...tokens }),
    'a swap of SOL for USDC': solSend(stack, { ...share, destinationAssetId: usdc }),
  }
  const orders = new Map<string, HonestOrder>()
  for (const [name, request] of Object.entries(requests)) {
    orders.set(name, await placeHonestOrder(stack, PROGRAM, request))
  }
  return orders
}
