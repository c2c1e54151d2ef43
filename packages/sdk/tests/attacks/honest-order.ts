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

/** A real order of a real service, and everything that a dishonest operator of that service would have. */
export interface HonestOrder {
  readonly program: Address
  readonly order: Order
  readonly quote: Quote
  readonly expected: ExpectedTransfer
  readonly facts: ChainFacts
  readonly terms: DepositTerms
  /** The pool's real authoriser key. The operator can sign anything with it. */
  readonly authoriser: KeyPairSigner
}

export const clientOf = (stack: HttpStack) =>
  createSottoClient({ baseUrl: stack.baseUrl, apiKey: stack.apiKey })

export async function readSigner(file: string): Promise<KeyPairSigner> {
  const bytes = JSON.parse(await readFile(file, 'utf8')) as number[]
  return createKeyPairSignerFromBytes(new Uint8Array(bytes))
}

/** Options that accept the committed program on a local chain. The program has a development key. */
export const LOCAL_PROGRAM = { acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true }

/** The input with which a careful caller verifies a new order. It needs no node, because it contains the facts. */
export const inputOf = ({
  order,
  quote,
  expected,
  facts,
  program,
}: HonestOrder): OrderToVerify => ({
  ...{ order, quote, expected, facts, programId: program, refreshed: null, ...LOCAL_PROGRAM },
})

/** The transfer that the sender wants: the request, with the amounts of the quote that the sender saw. */
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

/** The path of the authoriser's key file in a test stack. */
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

/**
 * Places honest orders and returns them by their names in `ATTACKED`: sends of each kind and a swap, most of them
 * with a partner's share.
 */
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
