import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, waitForStatus } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const PAST_DEADLINE_SECONDS = 1_900

let stack: Stack
let engine: Engine
let isKeyAway = false
beforeAll(async () => {
  stack = await startStack()
  const { secrets } = stack
  const read = async (epoch: number) => (isKeyAway ? undefined : secrets.read(epoch))
  engine = startEngine({ ...stack, secrets: { ...secrets, read } })
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

const wish = () => ({ amountOut: 40_000_000n, fee: 100_000n, recipient: makeWallet().address })

it('an order is delivered once its epoch’s key can be read again', async () => {
  isKeyAway = true
  const order = await placeOrder(stack, wish())
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  await waitUntil(async () => engine.reports.alerts.includes('secrets_missing'))
  isKeyAway = false
  await waitForStatus(stack, order, 'delivered')
  expect(await lamportsOf(stack, order.recipient)).toBe(40_000_000n)
})

it('later deposits are recorded even if the terms of an order can not be opened', async () => {
  const broken = await placeOrder(stack, wish())
  await stack.database.query('UPDATE orders SET sealed_terms = $2 WHERE id = $1', [
    broken.terms.orderId,
    new Uint8Array(randomBytes(80)),
  ])
  const healthy = await placeOrder(stack, wish())
  await deposit(stack, broken)
  await deposit(stack, healthy)
  await waitForStatus(stack, healthy, 'delivered')
  await waitForStatus(stack, broken, 'deposited')
})

it('an order expires at its deadline if another note was deposited with its id', async () => {
  const order = await placeOrder(stack, wish())
  await stack.database.query('UPDATE orders SET leaf = $2 WHERE id = $1', [
    order.terms.orderId,
    new Uint8Array(32).fill(1),
  ])
  await deposit(stack, order)
  const later = await placeOrder(stack, wish())
  await deposit(stack, later)
  await waitForStatus(stack, later, 'delivered')
  await waitForStatus(stack, order, 'awaiting_deposit')
  // A comparison of the books finds a leaf that no order explains.
  await waitUntil(async () => engine.reports.alerts.includes('deposit_terms_differ'))
  await stack.localnet.local('localnet_advanceTime', [PAST_DEADLINE_SECONDS])
  await waitForStatus(stack, order, 'expired')
})
