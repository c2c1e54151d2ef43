import { wasmPoseidon } from '@sotto/poseidon'
import { leafOfNote, type RecentLeaf } from '@sotto/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, placeOrder, readState, waitForStatus, type PlacedOrder } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

let stack: Stack
let engine: Engine
beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack)
  // The tree has leaves before the tests begin. So if the follower starts at a wrong leaf, every root differs.
  await deliverOne()
  await deliverOne()
  await expectLeaves(4)
  await engine.stop()
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

async function place(): Promise<PlacedOrder> {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: 5_000_000n, fee: 100_000n, recipient })
  await deposit(stack, order)
  return order
}

async function deliverOne(): Promise<void> {
  await waitForStatus(stack, await place(), 'delivered')
}

/**
 * Waits until the database has this number of leaves, each of them once. Each deposit and each delivery adds one leaf.
 */
async function expectLeaves(count: number): Promise<void> {
  const read = () =>
    stack.database.query<{ leaf_index: number }>(
      'SELECT leaf_index::integer AS leaf_index FROM leaves ORDER BY leaf_index',
      [],
    )
  await waitUntil(async () => (await read()).length >= count)
  const indexes = (await read()).map(({ leaf_index: index }) => index)
  expect(indexes).toEqual(Array.from({ length: count }, (_, index) => index))
}

it('a lost cursor is restored without storing a leaf twice', async () => {
  await stack.database.query('DELETE FROM chain_cursor', [])
  engine = startEngine(stack)
  await deliverOne()
  await expectLeaves(6)
  expect(engine.reports.events).not.toContain('rescan')
})

it('the follower reads all leaves again if a stored leaf is missing or wrong', async () => {
  await stack.database.query('DELETE FROM leaves WHERE leaf_index = 2', [])
  await stack.database.query('UPDATE leaves SET leaf = $1 WHERE leaf_index = 0', [
    new Uint8Array(32).fill(1),
  ])
  engine = startEngine(stack)
  await deliverOne()
  await expectLeaves(8)
  expect(engine.reports.events).toContain('rescan')
  expect(engine.reports.alerts).toEqual([])
})

it('later orders wait while a node hides a deposit', async () => {
  let isHiding = true
  const [hidden, shown] = [await place(), await place()]
  const leaf = leafOfNote(wasmPoseidon, stack.domain, hidden.note)
  const told = <Entry extends RecentLeaf | undefined>(entry: Entry): Entry =>
    isHiding && entry?.leaf === leaf ? { ...entry, leaf: 1n } : entry
  const hiding = (chain: SettlementChain): SettlementChain => ({
    ...chain,
    readEntries: async (...range) => (await chain.readEntries(...range)).map(told),
    readTree: async (slotMin) => {
      const shown = await chain.readTree(slotMin)
      return { ...shown, entry: (index) => told(shown.entry(index)) }
    },
  })
  engine = startEngine(stack, hiding)
  await waitUntil(async () => engine.reports.alerts.includes('root_mismatch'))
  expect((await readState(stack, shown)).status).toBe('awaiting_deposit')
  isHiding = false
  await waitForStatus(stack, hidden, 'delivered')
  await waitForStatus(stack, shown, 'delivered')
  await expectLeaves(12)
})

it('a database of another pool is refused', async () => {
  await stack.database.query("UPDATE chain_cursor SET program = 'another'", [])
  engine = startEngine(stack)
  await waitUntil(async () => engine.reports.failures.some((one) => one.includes('another pool')))
})
