import { ownerOf } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readClock } from '../../src/adapters/chain/settlement/read-head.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import {
  deposit,
  lamportsOf,
  placeOrder,
  readState,
  tokensOf,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { pay, waitForPayment, type OpenedBalance } from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

// This number of seconds is longer than a transfer's life. The deadline comes after at most 30 minutes and one step of
// the time grid. Then, the delivery window of an hour and another step of the grid follow.
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600

let stack: Stack
let engine: Engine
let late: PlacedOrder
let unpayable: PlacedOrder
let unpaid: PlacedOrder
let alone: PlacedOrder
let lateBalance: bigint
const recipient = makeWallet().address

beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack)
  const never = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
  late = await placeOrder(stack, {
    amountOut: 300_000_000n,
    fee: 700_000n,
    recipient,
    sealed: never,
  })
  unpayable = await placeOrder(stack, {
    mint: stack.usdc,
    amountOut: 9_000_000n,
    fee: 20_000n,
    recipient,
  })
  unpaid = await placeOrder(stack, { amountOut: 300_000_000n, fee: 700_000n, recipient })
  const crowd = { min: 2, missed: 'refund' } as const
  alone = await placeOrder(stack, {
    ...{ amountOut: 200_000_000n, fee: 500_000n, recipient },
    sealed: { maxDelaySeconds: 1, crowd },
  })
  await deposit(stack, late)
  await deposit(stack, alone)
  await deposit(stack, unpayable)
  await waitForStatus(stack, late, 'deposited')
  await waitForStatus(stack, unpayable, 'deposited')
  await waitForStatus(stack, alone, 'deposited')
  lateBalance = await lamportsOf(stack, late.sender.address)
  await waitUntil(async () => engine.reports.alerts.includes('recipient_not_payable'))
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

it('an order is refunded with its fee if it is not delivered by its expiry', async () => {
  const { outcome, attempts } = await waitForStatus(stack, late, 'refunded')
  expect(await lamportsOf(stack, late.sender.address)).toBe(lateBalance + 300_700_000n)
  expect(await lamportsOf(stack, recipient)).toBe(0n)
  expect(attempts).toEqual(['refund landed'])
  expect(outcome).toMatchObject({
    kind: 'refund',
    amount: 300_700_000n,
    reason: 'not_delivered_in_time',
  })
})

it('I11: a transfer is refunded without a delivery attempt if its crowd was not reached', async () => {
  const { outcome, attempts } = await waitForStatus(stack, alone, 'refunded')
  expect(attempts).toEqual(['refund landed'])
  expect(outcome).toMatchObject({ kind: 'refund', amount: 200_500_000n, reason: 'crowd_missed' })
})

it('an order is refunded if the recipient’s token account does not exist', async () => {
  const { outcome } = await waitForStatus(stack, unpayable, 'refunded')
  expect(await tokensOf(stack, unpayable.sender.address, stack.usdc)).toBe(9_020_000n)
  expect(await tokensOf(stack, recipient, stack.usdc)).toBeUndefined()
  expect(outcome).toMatchObject({ kind: 'refund', reason: 'recipient_not_payable' })
})

it('an unpaid order expires once the finalized clock is past its deadline', async () => {
  await waitForStatus(stack, unpaid, 'expired')
  expect((await readState(stack, unpaid)).attempts).toEqual([])
})

it('payments postpone the end of a balance', async () => {
  const [secret, lifeSeconds] = [4_711n, 259_200n]
  const owner = ownerOf(secret)
  const order = await placeOrder(stack, {
    ...{ amountOut: 1_000_000_000n, fee: 0n, recipient, owner, lifeSeconds },
  })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  let balance: OpenedBalance = { orderId: order.terms.orderId, note: order.note, secret }
  // The second payment is made after the balance's first end. A payment sets a new end, counted from the beginning of
  // the payment's day. So the note ends two to three days after the payment.
  for (let payments = 0; payments < 2; payments += 1) {
    await stack.localnet.local('localnet_advanceTime', [140_000])
    const made = await pay(stack, balance, { payee: recipient, payout: 120_000_000n })
    await waitForPayment(stack, made, 'delivered')
    balance = made.left
  }
  expect((await readClock(stack.rpc)) > order.note.expiry).toBe(true)
  expect(balance.note.expiry - balance.note.deadline).toBe(lifeSeconds)
  expect((await readState(stack, order)).status).toBe('deposited')
  const { sender } = order.terms
  const before = await lamportsOf(stack, sender)
  const left = balance.note.expiry - (await readClock(stack.rpc))
  await stack.localnet.local('localnet_advanceTime', [Number(left) + 600])
  const { outcome } = await waitForStatus(stack, order, 'refunded')
  expect(outcome).toMatchObject({ kind: 'refund', amount: balance.note.value })
  expect(await lamportsOf(stack, sender)).toBe(before + balance.note.value)
})
