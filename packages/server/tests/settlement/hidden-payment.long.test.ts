import { ownerOf } from '@sotto/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, readState, waitForStatus } from './stack/orders.ts'
import { leaveLastHour, pay, readPaymentState, waitForPayment } from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
const VALUE = 1_000_000_000n
const PAYOUT = 120_000_000n
const SECRET = 4_711n

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(async () => {
  await engine?.stop()
  engine = undefined
})
afterAll(() => stack?.close())

it('a payment is completed once a node shows it, even after its balance has ended', async () => {
  await leaveLastHour(stack)
  let isHiding = true
  const hide = (chain: SettlementChain): SettlementChain => ({
    ...chain,
    readNullifiers: async (nullifiers, ...rest) => {
      const facts = await chain.readNullifiers(nullifiers, ...rest)
      return isHiding ? { ...facts, settled: nullifiers.map(() => undefined) } : facts
    },
  })
  const worker = startEngine(stack, hide)
  engine = worker
  const payee = makeWallet().address
  const wish = { amountOut: VALUE, fee: 0n, recipient: payee, owner: ownerOf(SECRET) }
  const order = await placeOrder(stack, wish)
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  const balance = { orderId: order.terms.orderId, note: order.note, secret: SECRET }
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  await waitUntil(async () => (await lamportsOf(stack, payee)) === PAYOUT)
  const before = await lamportsOf(stack, order.terms.sender)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  // The simulation of the return fails, because the Nullifier exists on the chain.
  await waitUntil(async () => worker.reports.alerts.includes('settlement_refused'))
  expect((await readState(stack, order)).status).toBe('deposited')
  expect((await readPaymentState(stack, made)).status).toBe('delivering')
  isHiding = false
  await waitForPayment(stack, made, 'delivered')
  const { outcome } = await waitForStatus(stack, order, 'refunded')
  const rest = made.left.note.value
  expect(outcome).toMatchObject({ kind: 'refund', amount: rest, reason: 'balance_ended' })
  expect(await lamportsOf(stack, order.terms.sender)).toBe(before + rest)
})
