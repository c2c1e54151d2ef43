import { wasmPoseidon } from '@sotto/poseidon'
import {
  changeOf,
  leafOfNote,
  NOTHING,
  nullifierOf,
  ownerOf,
  type Note,
  type SettleInputs,
} from '@sotto/protocol'
import { settleNote } from '@sotto/recovery'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import {
  deposit,
  lamportsOf,
  placeOrder,
  readState,
  waitForStatus,
  type OrderWish,
  type PlacedOrder,
} from './stack/orders.ts'
import { leafIndexOf, leaveLastHour, pay, waitForPayment } from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

// The settlements of two notes can append equal leaves. So the leaf alone doesn't show which of the two notes is
// settled.

const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
const SECRET = 4_711n
const VALUE = 300_000_000n

let stack: Stack
let engine: Engine
beforeAll(async () => {
  stack = await startStack()
})
beforeEach(() => {
  engine = startEngine(stack)
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

/** Makes two paid orders whose terms are equal, apart from their secrets. */
async function twins(wish: OrderWish): Promise<[PlacedOrder, PlacedOrder]> {
  const sender = makeWallet()
  const one = await placeOrder(stack, { ...wish, sender })
  const other = await placeOrder(stack, { ...wish, sender, deadline: one.note.deadline })
  for (const order of [one, other]) {
    await deposit(stack, order)
    await waitForStatus(stack, order, 'deposited')
  }
  return [one, other]
}

/** The change note that a delivery or a refund of an order leaves. */
async function changeOfOrder({ note, terms }: PlacedOrder): Promise<Note> {
  const leafIndex = await leafIndexOf(stack, { note, orderId: terms.orderId, secret: SECRET })
  const nullifier = nullifierOf(wasmPoseidon, note.nk, BigInt(leafIndex))
  const rest = { nullifier, secret: note.nk, change: NOTHING, validUntil: undefined }
  return changeOf(wasmPoseidon, note, rest)
}

/** Delivers an order with its ticket. `alter` may change the inputs of the proof and of the transaction. */
async function deliverFromTicket(
  order: PlacedOrder,
  alter: Partial<SettleInputs> = {},
): Promise<void> {
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  await settleNote({
    ...{ kind: 'deliver', rpc: stack.rpc, poseidon: wasmPoseidon },
    // `settleNote` builds the transaction from the same object `inputs`. So `Object.assign` also alters the
    // transaction.
    prove: (inputs) => stack.prover.prove(Object.assign(inputs, alter)),
    ticket: { program: PROGRAM, orderId: order.terms.orderId, note: order.note },
    payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
  })
}

/** Waits until the tree has a note's leaf. */
async function waitForLeaf(note: Note): Promise<void> {
  await leafIndexOf(stack, { note, orderId: new Uint8Array(16), secret: SECRET })
}

/**
 * Waits for the refund of an order. Checks that the refund was paid once, that no node seemed to disagree, and that no
 * settlement was refused.
 */
async function expectRefund(order: PlacedOrder): Promise<void> {
  const before = await lamportsOf(stack, order.sender.address)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  const { outcome, attempts } = await waitForStatus(stack, order, 'refunded')
  expect(outcome).toMatchObject({ kind: 'refund', amount: order.note.value })
  expect(attempts).toEqual(['refund landed'])
  expect(await lamportsOf(stack, order.sender.address)).toBe(before + order.note.value)
  expect(engine.reports.alerts).not.toContain('nodes_disagree')
  expect(engine.reports.alerts).not.toContain('settlement_refused')
}

it('the rest of a balance returns even if the return’s change leaf is already in the tree', async () => {
  await leaveLastHour(stack)
  const wish = { amountOut: VALUE, fee: 0n, recipient: makeWallet().address }
  const [returned, paid] = await twins({ ...wish, owner: ownerOf(SECRET) })
  const change = await changeOfOrder(returned)
  const balance = { orderId: paid.terms.orderId, note: paid.note, secret: SECRET }
  const payout = VALUE - 1_000n
  const made = await pay(stack, balance, { payee: wish.recipient, payout, changeNk: change.nk })
  expect(made.left.note).toEqual(change)
  await waitForPayment(stack, made, 'delivered')
  await waitForLeaf(change)
  await expectRefund(returned)
})

it('a transfer is refunded even if the refund’s change leaf is already in the tree', async () => {
  const wish = { amountOut: 200_000_000n, fee: 500_000n, recipient: makeWallet().address }
  const [refunded, delivered] = await twins({ ...wish, sealed: NEVER })
  const change = await changeOfOrder(refunded)
  const changeLeaf = leafOfNote(wasmPoseidon, stack.domain, change)
  await deliverFromTicket(delivered, { changeNk: change.nk, changeLeaf })
  await waitForLeaf(change)
  await expectRefund(refunded)
  await waitForStatus(stack, delivered, 'delivered')
})

it('no refund begins while every node hides a delivery', async () => {
  const wish = { amountOut: 200_000_000n, fee: 500_000n, recipient: makeWallet().address }
  const order = await placeOrder(stack, { ...wish, sealed: NEVER })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  await engine.stop()
  await deliverFromTicket(order)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  let isHiding = true
  const hide = (chain: SettlementChain): SettlementChain => ({
    ...chain,
    readNullifiers: async (nullifiers, ...rest) => {
      const facts = await chain.readNullifiers(nullifiers, ...rest)
      return isHiding ? { ...facts, settled: nullifiers.map(() => undefined) } : facts
    },
  })
  engine = startEngine(stack, hide)
  // The simulation of the refund fails, because the Nullifier exists on the chain.
  await waitUntil(async () => engine.reports.alerts.includes('settlement_refused'))
  const { status, attempts } = await readState(stack, order)
  expect([status, attempts]).toEqual(['deposited', []])
  expect(engine.reports.events).not.toContain('refund_begun')
  isHiding = false
  const { outcome } = await waitForStatus(stack, order, 'delivered')
  expect(outcome).toMatchObject({ kind: 'delivery', amount: wish.amountOut })
})
