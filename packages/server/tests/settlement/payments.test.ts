import { wasmPoseidon } from '@sotto/poseidon'
import { amount, decodeTicket, encodeTicket, ownerOf } from '@sotto/protocol'
import { payFromBalance } from '@sotto/recovery'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { countUnknown } from './stack/count-unknown.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
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

it('a payment reaches its payee, and its change pays the next one', async () => {
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
  // Each payment appended a leaf. An unexplained leaf would keep the keys of later hours alive.
  expect(await countUnknown(stack)).toBe(unknown)
  expect(engine.reports.failures).toEqual([])
})

it('a payment that was signed just now is paid without waiting for the next poll', async () => {
  const follower = startEngine(stack)
  const balance = await funded()
  await leafIndexOf(stack, balance)
  await follower.stop()
  const never = { pollMs: 3_600_000, sweepMs: 3_600_000 }
  const worker = startEngine(stack, undefined, {}, never)
  engine = worker
  const made = await pay(stack, balance, { payee: drawPayee(), payout: PAYOUT })
  await waitUntil(async () => {
    worker.wake()
    return (await readPaymentState(stack, made)).attempts.length > 0
  })
})

it('a worker that dies between journal and broadcast leaves exactly one payment', async () => {
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

it('a payment that did not land by its end expires with its money untouched', async () => {
  const blocked = startEngine(stack, (chain) => ({ ...chain, broadcast: cut }))
  const payee = drawPayee()
  const balance = await funded()
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  await waitUntil(async () => (await readPaymentState(stack, made)).attempts.length > 0)
  await stack.localnet.local('localnet_advanceTime', [1_300])
  expect((await waitForPayment(stack, made, 'expired')).attempts.at(-1)).toBe('deliver dead')
  await blocked.stop()
  expect(await lamportsOf(stack, payee)).toBe(0n)
  engine = startEngine(stack)
  // The same note then pays its whole value to another payee.
  const other = drawPayee()
  await waitForPayment(
    stack,
    await pay(stack, balance, { payee: other, payout: PAYOUT }),
    'delivered',
  )
  expect(await lamportsOf(stack, other)).toBe(PAYOUT)
})

it('a note that its owner spends without the service pays nothing again, and the payment expires', async () => {
  const blocked = startEngine(stack, (chain) => ({ ...chain, simulate: cut }))
  const [payee, own] = [drawPayee(), drawPayee()]
  const balance = await funded()
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  const key = new Uint8Array(randomBytes(32))
  const payer = await createKeyPairSignerFromPrivateKeyBytes(key)
  await stack.airdrop(payer.address, 1_000_000_000n)
  const { orderId, note, secret } = balance
  const text = encodeTicket({ program: PROGRAM, orderId, note, secret })
  // The amount is the same, so the change has the same leaf: only the payee differs.
  await payFromBalance({
    ...{ rpc: stack.rpc, poseidon: wasmPoseidon, payer, payee: own },
    ticket: decodeTicket(text, ownerOf),
    payout: amount(PAYOUT + 1_000n),
    prove: (inputs) => stack.prover.prove(inputs),
  })
  await waitUntil(async () => (await lamportsOf(stack, own)) > 0n)
  await blocked.stop()
  engine = startEngine(stack)
  await stack.localnet.local('localnet_advanceTime', [1_300])
  // The tree has the leaf, so two readings must agree that the payment didn't land.
  await waitUntil(async () => {
    await stack.localnet.local('localnet_advanceTime', [60])
    return (await readPaymentState(stack, made)).status === 'expired'
  })
  expect(await lamportsOf(stack, payee)).toBe(0n)
  expect(await lamportsOf(stack, own)).toBe(PAYOUT + 1_000n)
})

it('the rest of a balance after payments returns to its sender at its end', async () => {
  engine = startEngine(stack)
  const secret = 4_711n
  const wish = { amountOut: VALUE, fee: 0n, recipient: drawPayee(), owner: ownerOf(secret) }
  const order = await placeOrder(stack, wish)
  const { orderId, sender } = order.terms
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  let balance: OpenedBalance = { orderId, note: order.note, secret }
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
