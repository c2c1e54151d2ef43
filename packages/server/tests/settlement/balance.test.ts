import { afterAll, beforeAll, expect, it } from 'vitest'
import { compared, halted } from './stack/books.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { lamportsOf, readState, waitForStatus } from './stack/orders.ts'
import { payByOwnHand } from './stack/payments.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { PAST_EXPIRY_SECONDS, SECRET, topUp, VALUE } from './stack/top-ups.ts'

let stack: Stack
let engine: Engine
beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

it('an unspent balance returns to its sender at its end', async () => {
  const order = await topUp(stack)
  await waitForStatus(stack, order, 'deposited')
  expect(await compared(stack)).toBe(true)
  expect((await readState(stack, order)).attempts).toEqual([])
  const before = await lamportsOf(stack, order.sender.address)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  const { outcome, attempts } = await waitForStatus(stack, order, 'refunded')
  expect(attempts).toEqual(['refund landed'])
  expect(outcome).toMatchObject({ kind: 'refund', amount: VALUE, reason: 'balance_ended' })
  expect(await lamportsOf(stack, order.sender.address)).toBe(before + VALUE)
  expect(await compared(stack)).toBe(true)
  expect(await halted(stack)).toBeNull()
})

it('a balance ends right after its deposit if the service does not keep its data', async () => {
  const order = await topUp(stack, { sealed: { isUnkept: true } })
  const { outcome, attempts } = await waitForStatus(stack, order, 'delivered')
  expect(attempts).toEqual([])
  expect(outcome).toMatchObject({ kind: 'delivery', signature: undefined, amount: undefined })
  expect(await compared(stack)).toBe(true)
  expect(await halted(stack)).toBeNull()
})

it('a balance is never returned if its owner spent it without the service', async () => {
  const order = await topUp(stack)
  await waitForStatus(stack, order, 'deposited')
  await payByOwnHand(stack, order, SECRET, 100_000_000n)
  const { outcome, attempts } = await waitForStatus(stack, order, 'delivered')
  expect(attempts).toEqual([])
  expect(outcome).toMatchObject({ kind: 'delivery', amount: undefined })
  expect(outcome?.signature).toBeDefined()
  expect(await compared(stack)).toBe(true)
  const before = await lamportsOf(stack, order.sender.address)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  expect(await compared(stack)).toBe(true)
  expect(await lamportsOf(stack, order.sender.address)).toBe(before)
  expect(await halted(stack)).toBeNull()
})
