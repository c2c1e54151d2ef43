import { parseWhole } from '@sotto/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import {
  depositInstructions,
  land,
  placeOrder,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(async () => {
  await engine?.stop()
  await stack.localnet.local('localnet_setFaults', [{}])
})
afterAll(() => stack?.close())

async function pay(): Promise<PlacedOrder & { readonly signature: string }> {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: 5_000_000n, fee: 100_000n, recipient })
  const signature = await land(stack, order.sender, await depositInstructions(stack, order))
  return { ...order, signature }
}

/** Makes the node drop every transaction up to the newest finalized slot. */
async function prune(): Promise<void> {
  const slot = await stack.rpc.getSlot({ commitment: 'finalized' }).send()
  const historyFrom = parseWhole(`${slot + 1n}`)
  await stack.localnet.local('localnet_setFaults', [{ historyFrom }])
}

/** The number of leaves in the database. Each deposit and each delivery adds one leaf. */
async function leaves(): Promise<number> {
  return (await stack.database.query('SELECT 1 FROM leaves', [])).length
}

it('orders are delivered after a node pruned history that the worker already followed', async () => {
  engine = startEngine(stack)
  await waitForStatus(stack, await pay(), 'delivered')
  await prune()
  const [one, other] = [await pay(), await pay()]
  await waitForStatus(stack, one, 'delivered')
  await waitForStatus(stack, other, 'delivered')
  await waitUntil(async () => (await leaves()) === 6)
  expect(engine.reports.alerts).toEqual([])
  expect(engine.reports.failures).toEqual([])
})

it('leaves are not stored twice after the cursor was set back', async () => {
  await stack.database.query('UPDATE chain_cursor SET next_leaf = 0, slot = 0', [])
  engine = startEngine(stack)
  await waitForStatus(stack, await pay(), 'delivered')
  await waitUntil(async () => (await leaves()) === 8)
  expect(engine.reports.events).not.toContain('rescan')
  expect(engine.reports.failures).toEqual([])
})

it('an order is delivered even if a node pruned its deposit before the worker read it', async () => {
  const missed = await pay()
  await waitUntil(async () => {
    const { value } = await stack.rpc
      .getSignatureStatuses([missed.signature as never], { searchTransactionHistory: true })
      .send()
    return value[0]?.confirmationStatus === 'finalized'
  })
  await prune()
  engine = startEngine(stack)
  await waitForStatus(stack, missed, 'delivered')
  await waitUntil(async () => (await leaves()) === 10)
  // The worker still searches for the deposit's transaction. The order's status doesn't need that transaction.
  const [row] = await stack.database.query<{ deposit_signature: string | null; at: string }>(
    'SELECT deposit_signature, deposit_at AS at FROM orders WHERE id = $1',
    [missed.terms.orderId],
  )
  expect(row!.deposit_signature).toBeNull()
  expect(BigInt(row!.at)).toBeGreaterThan(0n)
})
