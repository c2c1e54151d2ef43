import { ownerOf } from '@sotto/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { sqlPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { openMigrated } from '../migrated-database.ts'
import { countUnknown } from './stack/count-unknown.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, waitForStatus } from './stack/orders.ts'
import {
  leafIndexOf,
  openBalance,
  pay,
  readPaymentState,
  waitForPayment,
  type OpenedBalance,
} from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const VALUE = 1_000_000_000n
const PAYOUT = 120_000_000n

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

const drawPayee = () => makeWallet().address
const cut = async (): Promise<never> => {
  throw new Error('cut off')
}

const funded = (): Promise<OpenedBalance> => openBalance(stack, VALUE)

it('the change of a payment pays the next payee', async () => {
  engine = startEngine(stack)
  const [first, second] = [drawPayee(), drawPayee()]
  const balance = await funded()
  await leafIndexOf(stack, balance)
  const unknown = await countUnknown(stack)
  const made = await pay(stack, balance, { payee: first, payout: PAYOUT })
  const { attempts } = await waitForPayment(stack, made, 'delivered')
  expect(attempts).toEqual(['deliver landed'])
  expect(await lamportsOf(stack, first)).toBe(PAYOUT)
  expect(made.left.note.value).toBe(VALUE - PAYOUT - 1_000n)
  const rest = { payee: second, payout: made.left.note.value - 1_000n }
  await waitForPayment(stack, await pay(stack, made.left, rest), 'delivered')
  expect(await lamportsOf(stack, second)).toBe(rest.payout)
  const { wasPaid } = sqlPaidPayees(stack.database, { nowMs: () => 0 })
  const payees = [first, second, drawPayee()]
  const paid = await Promise.all(payees.map(async (one) => wasPaid(one, 'asker')))
  expect(paid).toEqual([true, true, false])
  // Each payment appended a leaf. If a leaf stayed unexplained, the service would keep the keys of later epochs.
  expect(await countUnknown(stack)).toBe(unknown)
  expect(engine.reports.failures).toEqual([])
})

it('a worker that is woken makes a payment without waiting for its next poll', async () => {
  const follower = startEngine(stack)
  const balance = await funded()
  await leafIndexOf(stack, balance)
  await follower.stop()
  const never = { pollMs: 3_600_000, sweepMs: 3_600_000 }
  const worker = startEngine(stack, undefined, {}, never)
  engine = worker
  const made = await pay(stack, balance, { payee: drawPayee(), payout: PAYOUT })
  await waitUntil(async () => {
    worker.wake('payment')
    return (await readPaymentState(stack, made)).attempts.length > 0
  })
})

it('a payment is made exactly once if a worker dies between journal and broadcast', async () => {
  const payee = drawPayee()
  const balance = await funded()
  const worker = startEngine(stack, (chain: SettlementChain) => ({ ...chain, broadcast: cut }))
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  await waitUntil(async () => (await readPaymentState(stack, made)).attempts.length > 0)
  await worker.stop()
  expect(await readPaymentState(stack, made)).toEqual({
    ...{ status: 'delivering', attempts: ['deliver live'] },
  })
  expect(await lamportsOf(stack, payee)).toBe(0n)
  engine = startEngine(stack)
  const { attempts } = await waitForPayment(stack, made, 'delivered')
  expect(attempts).toEqual(['deliver landed'])
  expect(await lamportsOf(stack, payee)).toBe(PAYOUT)
})

it('only one of two services pays out of the same note', async () => {
  const other = { ...stack, database: await openMigrated() }
  await migrate(other.database)
  const balance = await funded()
  const engines = [stack, other].map((one) => startEngine(one))
  try {
    const [first, second] = [drawPayee(), drawPayee()]
    const payments = await Promise.all([
      pay(stack, balance, { payee: first, payout: PAYOUT }),
      pay(other, balance, { payee: second, payout: PAYOUT + 1n }),
    ])
    const statuses = async () => [
      (await readPaymentState(stack, payments[0])).status,
      (await readPaymentState(other, payments[1])).status,
    ]
    await waitUntil(async () => (await statuses()).every((one) => one !== 'delivering'))
    expect((await statuses()).sort()).toEqual(['delivered', 'expired'])
    const paid = [await lamportsOf(stack, first), await lamportsOf(stack, second)]
    const isFirst = (await statuses())[0] === 'delivered'
    expect(paid).toEqual(isFirst ? [PAYOUT, 0n] : [0n, PAYOUT + 1n])
  } finally {
    await Promise.all(engines.map((one) => one.stop()))
    await other.database.close()
  }
})

/** Makes an order that opens a balance. Returns the order and the balance. */
async function opened() {
  const secret = 4_711n
  const wish = { amountOut: VALUE, fee: 0n, recipient: drawPayee(), owner: ownerOf(secret) }
  const order = await placeOrder(stack, wish)
  await deposit(stack, order)
  const balance: OpenedBalance = { orderId: order.terms.orderId, note: order.note, secret }
  return { order, balance }
}

it('the rest of a balance returns to its sender at the balance’s end', async () => {
  engine = startEngine(stack)
  const { order, balance: first } = await opened()
  const { sender } = order.terms
  await waitForStatus(stack, order, 'deposited')
  let balance = first
  for (let payments = 0; payments < 2; payments += 1) {
    const made = await pay(stack, balance, { payee: drawPayee(), payout: PAYOUT })
    await waitForPayment(stack, made, 'delivered')
    balance = made.left
  }
  const before = await lamportsOf(stack, sender)
  await stack.localnet.local('localnet_advanceTime', [1_800 + 600 + 3_600 + 600])
  const { outcome } = await waitForStatus(stack, order, 'refunded')
  expect(outcome).toMatchObject({ kind: 'refund', amount: balance.note.value })
  expect(await lamportsOf(stack, sender)).toBe(before + balance.note.value)
})
