import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Instruction,
  type SignatureBytes,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { wasmPoseidon } from '@sotto/poseidon'
import { fieldFromBytes, type Ticket } from '@sotto/protocol'
import { locateNote, type HistoryPage, type HistoryStore } from '@sotto/recovery'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deposit, depositInstructions, placeOrder, type PlacedOrder } from './stack/orders.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

/**
 * Number of strangers' leaves. The number of transactions that only name the tree is the same. `ci:full` runs with
 * 40,000 of each, which take about a quarter of an hour.
 */
const MANY = Number(process.env['SOTTO_MANY_LEAVES'] ?? 4_000)
/** Number of transactions in one request to the node. */
const BATCH = 250
/** Number of deposits that are made with the terms of one order. All of them land long before that order's deadline. */
const PER_ORDER = 5_000
/** Number of pages that are kept when reading is interrupted. */
const PAGES_BEFORE_INTERRUPTION = 3
/**
 * The test's time limit in milliseconds. Landing the transactions takes most of the time, which grows with the number
 * of leaves.
 */
const LIMIT_MS = 180_000 + 30 * MANY

let stack: Stack
/**
 * A client without time limits. While the node executes a batch, it answers no other request, and on a busy machine a
 * batch takes longer than the service would wait.
 */
let patientRpc: ReturnType<typeof createSolanaRpc>
beforeAll(async () => {
  stack = await startStack()
  patientRpc = createSolanaRpc(stack.localnet.rpcUrl)
})
afterAll(() => stack?.close())

const place = () =>
  placeOrder(stack, { amountOut: 5_000_000n, fee: 100_000n, recipient: makeWallet().address })

/** Signs transactions of the order's sender, all with one blockhash. */
async function signBatch(order: PlacedOrder, batch: readonly Instruction[][]): Promise<string[]> {
  const { value: lifetime } = await patientRpc
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send()
  const { sender } = order
  const sign = async (instructions: readonly Instruction[]) => {
    const compiled = compileTransaction(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(sender.address, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions([...instructions], message),
      ),
    )
    const signature = (await sender.sign(new Uint8Array(compiled.messageBytes))) as SignatureBytes
    const signatures = { ...compiled.signatures, [sender.address]: signature }
    const wire = getTransactionEncoder().encode({ ...compiled, signatures })
    return Buffer.from(wire).toString('base64')
  }
  return Promise.all(batch.map(sign))
}

/** Sends transactions as one request, and waits for the node's response. */
async function sendBatch(wires: readonly string[]): Promise<void> {
  const requests = wires.map((wire, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'sendTransaction' },
    params: [wire, { encoding: 'base64', skipPreflight: true }],
  }))
  const headers = { 'content-type': 'application/json' }
  await fetch(stack.localnet.rpcUrl, { method: 'POST', headers, body: JSON.stringify(requests) })
}

/** Makes a deposit with the order's terms, except for a new id and a new commitment. */
async function strangersDeposit(order: PlacedOrder): Promise<Instruction[]> {
  const inner = fieldFromBytes(Uint8Array.of(0, ...randomBytes(31)))
  const terms = { ...order.terms, orderId: new Uint8Array(randomBytes(16)), inner }
  return depositInstructions(stack, { ...order, terms })
}

/** A transfer from the sender to itself that also names the tree. Each transfer has a different amount. */
function naming({ sender }: PlacedOrder, lamports: number): Instruction[] {
  const source = { address: sender.address, signTransactions: () => Promise.reject(new Error()) }
  const transfer = getTransferSolInstruction({
    ...{ source, destination: sender.address, amount: BigInt(lamports) },
  })
  return [{ ...transfer, accounts: [...transfer.accounts, { address: stack.tree, role: 0 }] }]
}

async function leavesOnChain(): Promise<number> {
  const { value } = await patientRpc
    .getAccountInfo(stack.tree, {
      ...{ encoding: 'base64', commitment: 'confirmed' },
      dataSlice: { offset: 8, length: 8 },
    })
    .send()
  return Number(Buffer.from(value?.data[0] ?? '', 'base64').readBigUInt64LE())
}

/**
 * Lands batches of deposits, alternating with batches of transactions that only name the tree. While one batch runs,
 * the next batch is signed.
 */
async function landStrangers(count: number): Promise<void> {
  const until = (await leavesOnChain()) + count
  let running = Promise.resolve()
  const land = async (order: PlacedOrder, batch: readonly Instruction[][]) => {
    const wires = await signBatch(order, batch)
    await running
    running = sendBatch(wires)
  }
  for (let landed = 0; landed < count; landed += PER_ORDER) {
    await running
    const order = await place()
    await stack.airdrop(order.sender.address, 1_000_000_000_000n)
    for (let sent = 0; sent < Math.min(PER_ORDER, count - landed); sent += BATCH) {
      const size = Math.min(BATCH, count - landed - sent)
      await land(
        order,
        await Promise.all(Array.from({ length: size }, () => strangersDeposit(order))),
      )
      const spam = Array.from({ length: size }, (_, one) => naming(order, 1 + landed + sent + one))
      await land(order, spam)
    }
    console.log(`${Math.min(count, landed + PER_ORDER)} of ${count} leaves landed`)
  }
  await running
  await waitUntil(async () => (await leavesOnChain()) === until)
}

/** A store that keeps pages in memory. It throws once, after `PAGES_BEFORE_INTERRUPTION` pages. */
function interruptedStore(): HistoryStore & { readonly pages: () => number } {
  let kept: readonly HistoryPage[] = []
  let isInterrupted = false
  return {
    pages: () => kept.length,
    load: () => Promise.resolve(kept),
    add: (side, pages) => {
      kept = side === 'newer' ? [...pages, ...kept] : [...kept, ...pages]
      if (isInterrupted || kept.length < PAGES_BEFORE_INTERRUPTION) return Promise.resolve()
      isInterrupted = true
      return Promise.reject(new Error('interrupted'))
    },
    forget: () => {
      kept = []
      return Promise.resolve()
    },
  }
}

it(
  `a ticket's note is found among ${MANY} leaves after an interruption`,
  async () => {
    await landStrangers(MANY / 2)
    const mine = await place()
    await deposit(stack, mine)
    const index = (await leavesOnChain()) - 1
    await landStrangers(MANY / 2)

    const ticket: Ticket = { program: PROGRAM, orderId: mine.terms.orderId, note: mine.note }
    const store = interruptedStore()
    const find = () =>
      locateNote(stack.rpc, wasmPoseidon, ticket, {
        history: { url: stack.localnet.rpcUrl, store },
      })
    const startedMs = performance.now()
    await expect(find()).rejects.toThrow('interrupted')
    expect(store.pages()).toBe(PAGES_BEFORE_INTERRUPTION)
    const { position } = await find()
    console.log(`found in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
    expect(position.leafIndex).toBe(BigInt(index))
    expect(store.pages()).toBeGreaterThan(PAGES_BEFORE_INTERRUPTION)
  },
  LIMIT_MS,
)
