import {
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  getTransactionEncoder,
  setTransactionMessageLifetimeUsingBlockhash,
  type KeyPairSigner,
} from '@solana/kit'
import { unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { askedFor, readChainFacts, transfer, verifyOrder, type TransferState } from '../wallet.ts'
import { forgeTransaction } from './attacks/forge.ts'
import {
  authoriserFile,
  clientOf,
  expectedOf,
  LOCAL_PROGRAM,
  readSigner,
  type HonestOrder,
} from './attacks/honest-order.ts'
import { optionsOf } from './transfer/paying.ts'

/** Seconds for which the first transaction is authorised. */
const SHORT = 4n

let stack: HttpStack
let sender: KeyPairSigner
beforeAll(async () => {
  stack = await startHttpStack()
  sender = await createKeyPairSignerFromBytes(new Uint8Array(stack.sender.keypair))
})
afterAll(() => stack?.close())

type Ordered = Awaited<ReturnType<ReturnType<typeof clientOf>['createOrder']>>
type OrderTerms = Parameters<ReturnType<typeof clientOf>['createOrder']>[0]

/** The operator authorises the terms of an order until `seconds` from now, or until the order's deadline. */
async function authorised(honest: HonestOrder, seconds?: bigint): Promise<string> {
  const { value: lifetime } = await stack.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const facts = await readChainFacts(stack.rpc, PROGRAM, honest.terms.sourceMint)
  const validUntil =
    seconds === undefined ? honest.terms.deadline : unixSeconds(facts.unixSeconds + seconds)
  return forgeTransaction(honest, {
    terms: { validUntil },
    message: (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message) as never,
  })
}

it('a swap is not reported as unpaid while the transaction that the wallet returned can still land', async () => {
  const request = { ...solSend(stack, { destinationAssetId: stack.usdc }), minOut: '1' }
  const base = await optionsOf(stack)
  let honest: HonestOrder | undefined
  let deadline = 0n
  const createOrder = async (terms: OrderTerms): Promise<Ordered> => {
    const order = await clientOf(stack).createOrder(terms)
    const { quote } = terms
    const expected = expectedOf(request, quote)
    const facts = await readChainFacts(stack.rpc, PROGRAM, expected.sourceAssetId)
    const verified = await verifyOrder({
      ...{ order, quote, expected, facts, programId: PROGRAM, refreshed: null },
      ...LOCAL_PROGRAM,
    })
    const authoriser = await readSigner(authoriserFile(stack))
    honest = {
      ...{ program: PROGRAM, order, quote, expected, facts, authoriser },
      terms: verified.terms,
    }
    deadline = verified.terms.deadline
    return { ...order, transaction: await authorised(honest, SHORT) }
  }
  // Code between the page and the wallet replaces the transaction with another one of the same order.
  const signWire = async () => {
    if (honest === undefined) throw new Error('no order was made')
    const longer = await authorised(honest)
    const asked = getTransactionDecoder().decode(Buffer.from(longer, 'base64'))
    const [signatures] = await sender.signTransactions([asked as never])
    return new Uint8Array(
      getTransactionEncoder().encode({ ...asked, signatures: { ...signatures } }),
    )
  }
  let state: TransferState = askedFor(request)
  const stop = new AbortController()
  const save = async (next: TransferState) => {
    state = next
    if (next.step === 'submitting') stop.abort()
  }
  const run = transfer({
    ...{ ...base, service: { ...base.service, createOrder }, state, save },
    ...{ signer: { address: sender.address, signWire }, signal: stop.signal },
  })
  await expect(run).rejects.toThrow()
  expect(state).toMatchObject({ step: 'submitting', deadAfter: `${deadline}` })
})
