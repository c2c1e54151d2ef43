import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
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

const AMOUNT = 120_000_000n
// Each slot takes a tenth of a second. So this time has more than 150 blocks, and a blockhash is valid for 150 blocks.
const PAST_BLOCKHASH_SECONDS = 30

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

const cut = async (): Promise<never> => {
  throw new Error('cut off')
}

/** Runs a worker on a chain with faults until the worker has journalled an attempt, then stops the worker. */
async function journalAndStop(
  disturb: (chain: SettlementChain) => SettlementChain,
): Promise<PlacedOrder> {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: AMOUNT, fee: 400_000n, recipient })
  await deposit(stack, order)
  const worker = startEngine(stack, disturb)
  await waitUntil(async () => (await readState(stack, order)).attempts.length > 0)
  await worker.stop()
  expect((await readState(stack, order)).attempts).toEqual(['deliver live'])
  expect((await readState(stack, order)).status).toBe('delivering')
  return order
}

it('an order is delivered exactly once if a worker dies between journal and broadcast', async () => {
  const order = await journalAndStop((chain) => ({ ...chain, broadcast: cut }))
  expect(await lamportsOf(stack, order.recipient)).toBe(0n)
  engine = startEngine(stack)
  const { attempts } = await waitForStatus(stack, order, 'delivered')
  expect(engine.reports.alerts).toEqual([])
  expect(attempts).toEqual(['deliver landed'])
  expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
})

it('an order is delivered exactly once if a worker dies between broadcast and confirmation', async () => {
  // After the broadcast, the worker can't read nullifiers, so it can't confirm its attempt.
  let isSent = false
  const order = await journalAndStop((chain) => ({
    ...chain,
    broadcast: (wire) => {
      isSent = true
      return chain.broadcast(wire)
    },
    readNullifiers: (...args) => (isSent ? cut() : chain.readNullifiers(...args)),
  }))
  await waitUntil(async () => (await lamportsOf(stack, order.recipient)) > 0n)
  expect((await readState(stack, order)).status).toBe('delivering')
  engine = startEngine(stack)
  const { attempts } = await waitForStatus(stack, order, 'delivered')
  expect(engine.reports.alerts).toEqual([])
  expect(attempts).toEqual(['deliver landed'])
  expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
})

it('the next attempt is made only after the earlier attempt is proven dead', async () => {
  const order = await journalAndStop((chain) => ({ ...chain, broadcast: cut }))
  await stack.localnet.local('localnet_advanceTime', [PAST_BLOCKHASH_SECONDS])
  engine = startEngine(stack)
  const { attempts } = await waitForStatus(stack, order, 'delivered')
  expect(engine.reports.alerts).toEqual([])
  expect(attempts).toEqual(['deliver dead', 'deliver landed'])
  expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
})

it('no further attempt is made while it is unknown whether the last attempt landed', async () => {
  const order = await journalAndStop((chain) => ({ ...chain, broadcast: cut }))
  await stack.localnet.local('localnet_advanceTime', [PAST_BLOCKHASH_SECONDS])
  const blind = startEngine(stack, (chain) => ({ ...chain, readNullifiers: cut }))
  await waitUntil(async () => blind.reports.failures.length > 3)
  await blind.stop()
  expect((await readState(stack, order)).attempts).toEqual(['deliver live'])
  engine = startEngine(stack)
  await waitForStatus(stack, order, 'delivered')
  expect(engine.reports.alerts).toEqual([])
  expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
})
