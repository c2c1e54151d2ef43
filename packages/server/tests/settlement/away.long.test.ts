import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { fieldFromBytes } from '@sotto/protocol'
import { signTransaction } from '../../src/adapters/chain/settlement/sign-transaction.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import {
  deposit,
  depositInstructions,
  placeOrder,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

/** Number of leaves: almost five times the size of the ring of leaves on the chain. */
const LEAVES = 5_000
/** Number of deposits in one request to the node. */
const BATCH = 100

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

const place = () =>
  placeOrder(stack, { amountOut: 5_000_000n, fee: 100_000n, recipient: makeWallet().address })

async function leavesOnChain(): Promise<number> {
  const { value } = await stack.rpc
    .getAccountInfo(stack.tree, {
      ...{ encoding: 'base64', commitment: 'finalized' },
      dataSlice: { offset: 8, length: 8 },
    })
    .send()
  return Number(Buffer.from(value?.data[0] ?? '', 'base64').readBigUInt64LE())
}

/** Signs a deposit with the order's terms, except for a new id and a new commitment. */
async function strangersDeposit(order: PlacedOrder): Promise<string> {
  const inner = fieldFromBytes(Uint8Array.of(0, ...randomBytes(31)))
  const terms = { ...order.terms, orderId: new Uint8Array(randomBytes(16)), inner }
  const instructions = await depositInstructions(stack, { ...order, terms })
  const { wire } = await signTransaction(stack.rpc, [order.sender], instructions)
  return Buffer.from(wire).toString('base64')
}

/** Lands deposits that belong to no order of the service. */
async function landStrangers(count: number): Promise<void> {
  const order = await place()
  await stack.airdrop(order.sender.address, 1_000_000_000_000n)
  const until = (await leavesOnChain()) + count
  for (let sent = 0; sent < count; sent += BATCH) {
    const wires: string[] = []
    for (let index = 0; index < BATCH; index += 1) wires.push(await strangersDeposit(order))
    const batch = wires.map((wire, id) => ({
      ...{ jsonrpc: '2.0', id, method: 'sendTransaction' },
      params: [wire, { encoding: 'base64', skipPreflight: true }],
    }))
    const headers = { 'content-type': 'application/json' }
    await fetch(stack.localnet.rpcUrl, { method: 'POST', headers, body: JSON.stringify(batch) })
  }
  await waitUntil(async () => (await leavesOnChain()) === until)
}

it(`a worker delivers orders that were paid while it was stopped for ${LEAVES} leaves`, async () => {
  engine = startEngine(stack)
  const before = await place()
  await deposit(stack, before)
  await waitForStatus(stack, before, 'delivered')
  await engine.stop()

  const [first, last] = [await place(), await place()]
  await deposit(stack, first)
  await landStrangers(LEAVES)
  await deposit(stack, last)

  engine = startEngine(stack)
  await waitForStatus(stack, last, 'delivered')
  await waitForStatus(stack, first, 'delivered')
  await waitUntil(async () => {
    const [row] = await stack.database.query<{ count: string }>(
      'SELECT count(*) AS count FROM leaves',
      [],
    )
    return Number(row?.count) === (await leavesOnChain())
  })
  expect(await leavesOnChain()).toBe(6 + LEAVES)
  expect(engine.reports.events).toContain('rescan')
  expect(engine.reports.alerts).not.toContain('root_mismatch')
})
