import { parseWhole } from '@sotto/protocol'
import { getBase58Decoder } from '@solana/kit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import {
  depositInstructions,
  land,
  placeOrder,
  readState,
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

/** Makes the node forget every transaction up to the newest finalized slot. */
async function prune(): Promise<void> {
  const slot = await stack.rpc.getSlot({ commitment: 'finalized' }).send()
  const historyFrom = parseWhole(`${slot + 1n}`)
  await stack.localnet.local('localnet_setFaults', [{ historyFrom }])
}

async function leaves(): Promise<number[]> {
  const rows = await stack.database.query<{ leaf_index: number }>(
    'SELECT leaf_index::integer AS leaf_index FROM leaves ORDER BY leaf_index',
    [],
  )
  return rows.map(({ leaf_index: index }) => index)
}

it('a node that pruned the last transaction that was read stops neither follower nor delivery', async () => {
  engine = startEngine(stack)
  await waitForStatus(stack, await pay(), 'delivered')
  await prune()
  const [one, other] = [await pay(), await pay()]
  await waitForStatus(stack, one, 'delivered')
  await waitForStatus(stack, other, 'delivered')
  expect(await leaves()).toEqual([0, 1, 2])
  expect(engine.reports.alerts).toEqual([])
  expect(engine.reports.failures).toEqual([])
})

it('leaves that are listed again because the cursor is unknown are not appended twice', async () => {
  const unknown = getBase58Decoder().decode(crypto.getRandomValues(new Uint8Array(64)))
  await stack.database.query('UPDATE chain_cursor SET last_signature = $1, slot = 0', [unknown])
  engine = startEngine(stack)
  await waitForStatus(stack, await pay(), 'delivered')
  expect(await leaves()).toEqual([0, 1, 2, 3])
  expect(engine.reports.events).not.toContain('rescan')
  expect(engine.reports.failures).toEqual([])
})

it('a deposit that the node pruned unread is waited for, and recorded once a node shows it', async () => {
  const missed = await pay()
  await waitUntil(async () => {
    const { value } = await stack.rpc
      .getSignatureStatuses([missed.signature as never], { searchTransactionHistory: true })
      .send()
    return value[0]?.confirmationStatus === 'finalized'
  })
  await prune()
  engine = startEngine(stack)
  await waitUntil(async () => engine?.reports.alerts.includes('root_mismatch') === true)
  expect((await readState(stack, missed)).status).toBe('awaiting_deposit')
  expect(await leaves()).toEqual([0, 1, 2, 3])
  await stack.localnet.local('localnet_setFaults', [{}])
  await waitForStatus(stack, missed, 'delivered')
  expect(await leaves()).toEqual([0, 1, 2, 3, 4])
})
