import type { Address, Instruction } from '@solana/kit'
import { decodeTree, leafOfNote } from '@sotto/protocol'
import { readNoteTree } from '@sotto/recovery'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { createSettlementChain } from '../../src/adapters/chain/settlement/create-settlement-chain.ts'
import { leavesOf } from '../../src/settlement/follow/appended-leaf.ts'
import { signTransaction } from '../../src/adapters/chain/settlement/sign-transaction.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import {
  depositInstructions,
  land,
  placeOrder,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { recipientsOf } from './stack/recipients-of.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
/**
 * A program that makes the calls that its instruction describes. The program's source is in the folder of
 * `CALLER_FILE`.
 */
const CALLER = 'CaLLer1111111111111111111111111111111111111' as Address
const CALLER_FILE = fileURLToPath(
  new URL('../../../../program/tests/fixtures/caller/sotto-caller.so', import.meta.url),
)

let stack: Stack
let engine: Engine | undefined
const landed: PlacedOrder[] = []

beforeAll(async () => {
  stack = await startStack(undefined, [`${CALLER}=${CALLER_FILE}`])
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

/** Places an order that isn't delivered during the test. */
function place(amountOut = 5_000_000n): Promise<PlacedOrder> {
  const sealed = { minDelaySeconds: 1_200, maxDelaySeconds: 1_200 }
  const recipient = makeWallet().address
  return placeOrder(stack, { amountOut, fee: 100_000n, recipient, sealed })
}

/**
 * Checks that the follower and recovery find each order at its leaf index, and that the follower didn't read all leaves
 * again.
 */
async function expectFollowed(orders: readonly PlacedOrder[]): Promise<void> {
  landed.push(...orders)
  // All leaves are final before the engine starts, so the follower reads them in one poll.
  await waitUntil(async () => (await leavesAtFinality()) === BigInt(landed.length))
  engine = startEngine(stack)
  for (const order of orders) await waitForStatus(stack, order, 'deposited')
  expect(engine.reports.events).not.toContain('rescan')
  expect(engine.reports.alerts).toEqual([])
  const { tree } = await readNoteTree(stack.rpc, PROGRAM, wasmPoseidon)
  expect(tree.size).toBe(landed.length)
  // A worker that was stopped for too long reads this history, because the ring no longer has all new leaves.
  const { rpc, domain } = stack
  const recipients = recipientsOf(rpc, PROGRAM)
  const at = { rpc, program: PROGRAM, tree: stack.tree, recipients }
  const settings = { ...at }
  const chain = createSettlementChain(settings)
  const history = await chain.readHistory(0n, await chain.readHead())
  const leaves = landed.map(({ note }) => leafOfNote(wasmPoseidon, domain, note))
  expect(leavesOf(wasmPoseidon, domain, history)).toEqual(leaves)
  expect(leaves.map((_, index) => tree.leaf(index))).toEqual(leaves)
}

async function leavesAtFinality(): Promise<bigint> {
  const { value } = await stack.rpc
    .getAccountInfo(stack.tree, { encoding: 'base64', commitment: 'finalized' })
    .send()
  return decodeTree(new Uint8Array(Buffer.from(value?.data[0] ?? '', 'base64'))).nextIndex
}

async function logsOf(signature: string): Promise<readonly string[]> {
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 }
  const found = await stack.rpc.getTransaction(signature as never, options as never).send()
  return (found as unknown as { meta: { logMessages: string[] } }).meta.logMessages
}

it('harmless: a deposit’s leaf is found even if the transaction’s logs are full', async () => {
  const isEvent = (line: string) => line.startsWith('Program data:')
  const [quiet, loud] = [await place(), await place()]
  const plain = await land(stack, quiet.sender, await depositInstructions(stack, quiet))
  expect((await logsOf(plain)).some(isEvent)).toBe(true)
  // Six bytes in the transaction produce about 250 bytes in its logs. The instruction is repeated as often as fits into
  // a transaction.
  const memo = { programAddress: MEMO, accounts: [], data: new Uint8Array(3).fill(1) }
  const spam = Array.from({ length: 55 }, (): Instruction => memo)
  const spammed = [...spam, ...(await depositInstructions(stack, loud))]
  const logs = await logsOf(await land(stack, loud.sender, spammed))
  expect(logs).toContain('Log truncated')
  expect(logs.some(isEvent)).toBe(false)
  await expectFollowed([quiet, loud])
})

it('harmless: a deposit’s leaf is found even if another program called the deposit', async () => {
  const order = await place()
  const [authorisation, called] = await depositInstructions(stack, order)
  const call: Instruction = {
    programAddress: CALLER,
    accounts: [{ address: PROGRAM, role: 0 }, ...(called.accounts ?? [])],
    data: Uint8Array.of(0, 0, ...(called.data ?? [])),
  }
  await land(stack, order.sender, [authorisation, call])
  await expectFollowed([order])
})

/** Sends all deposits in one request, so that they land in one block. Returns their signatures. */
async function landTogether(orders: readonly PlacedOrder[]): Promise<string[]> {
  const sent: { signature: string; wire: string }[] = []
  for (const order of orders) {
    const instructions = await depositInstructions(stack, order)
    const { signature, wire } = await signTransaction(stack.rpc, [order.sender], instructions)
    sent.push({ signature, wire: Buffer.from(wire).toString('base64') })
  }
  const batch = sent.map(({ wire }, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'sendTransaction' },
    params: [wire, { encoding: 'base64', skipPreflight: true }],
  }))
  const headers = { 'content-type': 'application/json' }
  await fetch(stack.localnet.rpcUrl, { method: 'POST', headers, body: JSON.stringify(batch) })
  const signatures = sent.map(({ signature }) => signature)
  await waitUntil(
    async () => (await listed()).filter((one) => signatures.includes(one)).length === orders.length,
  )
  return signatures
}

/** The tree's transactions in the order in which the node lists them, oldest first. */
async function listed(): Promise<string[]> {
  const found = await stack.rpc
    .getSignaturesForAddress(stack.tree, { commitment: 'finalized' })
    .send()
  return found.map(({ signature }) => signature as string).reverse()
}

it('a leaf keeps its place if a node lists the transactions of a slot in another sequence', async () => {
  for (const count of [5, 4]) {
    const orders: PlacedOrder[] = []
    for (let index = 0; index < count; index += 1)
      orders.push(await place(5_000_000n + BigInt(index)))
    const signatures = await landTogether(orders)
    const asListed = async () => (await listed()).filter((one) => signatures.includes(one))
    expect(await asListed()).toEqual(signatures)
    for (let seed = 1; (await asListed()).join() === signatures.join(); seed += 1) {
      await stack.localnet.local('localnet_setFaults', [{ shuffleListings: true, seed }])
    }
    await expectFollowed(orders)
    await engine?.stop()
    await stack.localnet.local('localnet_setFaults', [{}])
  }
})
