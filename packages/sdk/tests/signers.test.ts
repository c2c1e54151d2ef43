import {
  createKeyPairSignerFromBytes,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  signBytes,
  type KeyPairSigner,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
} from '@solana/kit'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { until } from '../../../testing/patience/until.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import {
  memoryTickets,
  OrderRefusedError,
  signAndSubmit,
  signOrder,
  storedTickets,
  verifyOrder,
  walletStandardSigner,
  type OrderSigner,
  type StandardWallet,
  type VerifiedOrder,
} from '../wallet.ts'
import { forgeTransaction, type Forgery } from './attacks/forge.ts'
import { inputOf, placeHonestOrder, readSigner, type HonestOrder } from './attacks/honest-order.ts'
import { getAddMemoInstruction } from './attacks/memo.ts'

let stack: HttpStack
let sender: KeyPairSigner
let honest: HonestOrder
let verified: VerifiedOrder

beforeAll(async () => {
  stack = await startHttpStack()
  sender = await createKeyPairSignerFromBytes(new Uint8Array(stack.sender.keypair))
})
beforeEach(async () => {
  honest = await placeHonestOrder(stack, PROGRAM, solSend(stack))
  verified = await verifyOrder(inputOf(honest))
})
afterAll(() => stack?.close())

async function landed(signature: string): Promise<boolean> {
  const names = [signature] as never
  let error: unknown
  await until(async () => {
    const [status] = (await stack.rpc.getSignatureStatuses(names).send()).value
    error = status?.err
    return status?.confirmationStatus === 'confirmed'
  }, 'the transaction did not land')
  return error === null
}

let submitted = 0

function pay(signer: OrderSigner, tickets = memoryTickets()): Promise<string> {
  submitted = 0
  const { rpc } = stack
  const send = (wire: never, config: never) => {
    submitted += 1
    return rpc.sendTransaction(wire, config)
  }
  const sendTransaction = send as unknown as typeof rpc.sendTransaction
  return signAndSubmit(verified, { signer, rpc: { ...rpc, sendTransaction }, tickets })
}

async function signed(transaction: Transaction): Promise<Transaction> {
  const [signatures] = await sender.signTransactions([transaction as never])
  return { ...transaction, signatures: { ...signatures } }
}

/** A wallet that changes the transaction and then signs it. */
const modifying = (forgery: Forgery): TransactionModifyingSigner => ({
  address: sender.address,
  modifyAndSignTransactions: async () => {
    const wire = Buffer.from(await forgeTransaction(honest, forgery), 'base64')
    return [(await signed(getTransactionDecoder().decode(wire))) as never]
  },
})

it('pays with a signer of the client library, after the ticket was stored', async () => {
  const tickets = memoryTickets()
  let kept: string | undefined
  const signer: KeyPairSigner = {
    ...sender,
    signTransactions: async (transactions, config) => {
      kept = await tickets.read(verified.trackingId)
      return sender.signTransactions(transactions, config)
    },
  }
  expect(await landed(await pay(signer, tickets))).toBe(true)
  expect(submitted).toBe(1)
  expect(kept).toBe(verified.recovery)
})

it('pays with a Wallet Standard wallet', async () => {
  const account = { address: sender.address }
  const wallet: StandardWallet = {
    features: {
      'solana:signTransaction': {
        signTransaction: async (input: { transaction: Uint8Array; chain: string }) => {
          expect(input).toMatchObject({ account, chain: 'solana:localnet' })
          const done = await signed(getTransactionDecoder().decode(input.transaction))
          return [{ signedTransaction: new Uint8Array(getTransactionEncoder().encode(done)) }]
        },
      },
    },
  }
  expect(await landed(await pay(walletStandardSigner(wallet, account, 'solana:localnet')))).toBe(
    true,
  )
  expect(() => walletStandardSigner({ features: {} }, account)).toThrow(TypeError)
})

async function signAndSend(transaction: Transaction): Promise<Uint8Array> {
  const wire = getBase64EncodedWireTransaction(await signed(transaction))
  const signature = await stack.rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  return new Uint8Array(getBase58Encoder().encode(signature))
}

it('pays with a wallet that sends transactions by itself', async () => {
  const signer: TransactionSendingSigner = {
    address: sender.address,
    signAndSendTransactions: async ([transaction]) => [(await signAndSend(transaction!)) as never],
  }
  expect(await landed(await pay(signer))).toBe(true)
  expect(submitted).toBe(0)
})

it('pays with a Wallet Standard wallet that only signs and sends in one step', async () => {
  const send = async ({ transaction }: { transaction: Uint8Array }) => [
    { signature: await signAndSend(getTransactionDecoder().decode(transaction)) },
  ]
  const wallet = { features: { 'solana:signAndSendTransaction': { signAndSendTransaction: send } } }
  expect(await landed(await pay(walletStandardSigner(wallet, { ...sender })))).toBe(true)
  expect(submitted).toBe(0)
})

it('lets a wallet set its own compute unit price within the limit', async () => {
  const { wire } = await signOrder(verified, modifying({ microLamports: 1_000n }))
  expect(wire).toBeDefined()
})

it.each<[string, string, Forgery]>([
  [
    'adds an instruction',
    'instructions',
    { instructions: (all) => [...all, getAddMemoInstruction('thanks')] },
  ],
  ['pays another recipient', 'commitment', { terms: { inner: 42n } }],
  ['offers an absurd compute unit price', 'compute_budget', { microLamports: 10n ** 11n }],
])('the result of a wallet that %s is refused and not submitted', async (_, code, forgery) => {
  const refused = await pay(modifying(forgery)).catch((error: unknown) => error)
  if (!(refused instanceof OrderRefusedError)) throw refused
  expect(refused.refusals[0]?.code).toBe(code)
  expect(submitted).toBe(0)
})

it('refuses a missing signature, and a signature by another key', async () => {
  const other = await readSigner(stack.adminFile)
  const silent = { address: sender.address, signTransactions: async () => [{}] }
  await expect(pay(silent as never)).rejects.toMatchObject({ refusals: [{ code: 'signers' }] })
  const forged = {
    address: sender.address,
    signTransactions: async (all: readonly Transaction[]) => {
      const signature = await signBytes(other.keyPair.privateKey, all[0]!.messageBytes)
      return [{ [sender.address]: signature }]
    },
  }
  await expect(pay(forged as never)).rejects.toMatchObject({ refusals: [{ code: 'signers' }] })
  await expect(pay(other)).rejects.toMatchObject({ refusals: [{ code: 'sender' }] })
  expect(submitted).toBe(0)
})

it('keeps tickets together with other entries in a browser’s storage', async () => {
  const entries = new Map([['theme', 'dark']])
  const tickets = storedTickets({
    get length() {
      return entries.size
    },
    key: (index) => [...entries.keys()][index] ?? null,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  })
  await tickets.save('tr_1', 'sotto1_a')
  expect([await tickets.list(), await tickets.read('tr_1')]).toEqual([['tr_1'], 'sotto1_a'])
  await tickets.remove('tr_1')
  expect([await tickets.list(), await tickets.read('tr_1')]).toEqual([[], undefined])
  expect([...entries]).toEqual([['theme', 'dark']])
  expect(() => storedTickets()).toThrow('localStorage')
})
