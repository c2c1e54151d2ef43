import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { AlertCode } from '../../src/domain/log-names.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import {
  deposit,
  lamportsOf,
  placeOrder,
  readState,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
const DAY_SECONDS = 86_400
/**
 * After this many milliseconds without a result of a comparison, the alert is raised. There is one comparison each
 * second.
 */
const BLIND_MS = 35_000

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

const raised = (running: Engine, code: AlertCode) =>
  waitUntil(async () => running.reports.alerts.includes(code))
const pass = (seconds: number) => stack.localnet.local('localnet_advanceTime', [seconds])

/** Makes an order that is deposited and never settled. */
async function abandoned(): Promise<PlacedOrder> {
  const recipient = makeWallet().address
  const wish = { amountOut: 30_000_000n, fee: 80_000n, recipient, sealed: NEVER }
  const order = await placeOrder(stack, wish)
  await deposit(stack, order)
  const worker = startEngine(stack)
  await waitForStatus(stack, order, 'deposited')
  await worker.stop()
  return order
}

it('drill books_unchecked: comparisons continue as soon as the node shows the right number of leaves', async () => {
  let isAnswering = false
  engine = startEngine(stack, (chain) => ({
    ...chain,
    readBooks: async () => {
      const books = await chain.readBooks()
      return isAnswering ? books : { ...books, nextLeaf: books.nextLeaf + 1n }
    },
  }))
  await new Promise((resolve) => setTimeout(resolve, BLIND_MS))
  await raised(engine, 'books_unchecked')
  const count = () => stack.database.query('SELECT 1 FROM health WHERE books_agree', [])
  expect(await count()).toEqual([])
  isAnswering = true
  await waitUntil(async () => (await count()).length === 1)
})

it('drill refund_overdue: the service refunds an overdue order as soon as it runs again', async () => {
  const order = await abandoned()
  await pass(PAST_EXPIRY_SECONDS + DAY_SECONDS)
  const before = await lamportsOf(stack, order.sender.address)
  engine = startEngine(stack)
  await raised(engine, 'refund_overdue')
  await waitForStatus(stack, order, 'refunded')
  // A day has passed, so the sender may also have received the rent of the Order account.
  expect(await lamportsOf(stack, order.sender.address)).toBeGreaterThanOrEqual(before + 30_080_000n)
})

it('drill note_unclaimed: the books still owe a note after the refund window', async () => {
  const order = await abandoned()
  await pass(PAST_EXPIRY_SECONDS + 31 * DAY_SECONDS)
  engine = startEngine(stack)
  await raised(engine, 'note_unclaimed')
  expect(await readState(stack, order)).toMatchObject({ status: 'deposited', attempts: [] })
  const { assets } = await stack.operate<{ assets: { owed: string }[] }>('pool', 'show')
  expect(assets.map(({ owed }) => owed)).toContain('30080000')
})
