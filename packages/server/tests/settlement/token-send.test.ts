import { NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, placeOrder, tokensOf, waitForStatus } from './stack/orders.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

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

it('a token send creates the recipient’s missing account if the fee includes its cost', async () => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, {
    mint: stack.usdc,
    amountOut: 45_000_000n,
    fee: 110_000n,
    recipient,
    sealed: { accountExisted: false },
  })
  await deposit(stack, order)
  const { outcome } = await waitForStatus(stack, order, 'delivered')
  expect(await tokensOf(stack, recipient, stack.usdc)).toBe(45_000_000n)
  expect(outcome).toMatchObject({ assetId: stack.usdc, amount: 45_000_000n })
})

it('a swap pays the other asset from the inventory', async () => {
  const recipient = makeWallet().address
  await stack.localnet.local('localnet_mintTokens', [recipient, stack.usdc, '1'])
  const order = await placeOrder(stack, {
    mint: stack.usdc,
    given: { mint: NATIVE_MINT, amountIn: 1_000_000_000n },
    amountOut: 149_000_000n,
    fee: 2_000_000n,
    recipient,
  })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'delivered')
  expect(await tokensOf(stack, recipient, stack.usdc)).toBe(149_000_001n)
  expect(engine.reports.alerts).toEqual([])
})
