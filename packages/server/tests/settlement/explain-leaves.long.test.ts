import { wasmPoseidon } from '@sotto/poseidon'
import { amount, ownerOf } from '@sotto/protocol'
import { settleNote } from '@sotto/recovery'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compared, halted } from './stack/books.ts'
import { countUnknown } from './stack/count-unknown.ts'
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
import { payByOwnHand } from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
const SECRET = 4_711n
const VALUE = 300_000_000n

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

async function topUp(more: Partial<OrderWish> = {}): Promise<PlacedOrder> {
  const order = await placeTopUp(more)
  await deposit(stack, order)
  return order
}

function placeTopUp(more: Partial<OrderWish>): Promise<PlacedOrder> {
  const [owner, recipient] = [ownerOf(SECRET), makeWallet().address]
  return placeOrder(stack, { amountOut: VALUE, fee: 0n, recipient, owner, ...more })
}

async function countLeaves(): Promise<number> {
  const query = 'SELECT COUNT(*)::integer AS count FROM leaves'
  const [row] = await stack.database.query<{ count: number }>(query, [])
  return row!.count
}

it('the leaves of an owner’s payments without the service are explained by their proofs', async () => {
  const order = await topUp()
  await waitForStatus(stack, order, 'deposited')
  // The service knows only the first note of the balance.
  for (const payout of [10_000_000n, 20_000_000n, 30_000_000n])
    await payByOwnHand(stack, order, SECRET, payout)
  await waitForStatus(stack, order, 'delivered')
  const isExplained = async () => (await countUnknown(stack)) === 0
  await waitUntil(isExplained)
  engine.reports.alerts.length = 0
  expect(await compared(stack)).toBe(true)
  expect(await halted(stack)).toBeNull()
  expect(engine.reports.alerts).not.toContain('deposit_terms_differ')
})

it('the leaf of a refund that the owner made is explained', async () => {
  const order = await topUp({ sealed: { isUnkept: true } })
  await waitForStatus(stack, order, 'delivered')
  const { terms, note, sender } = order
  const before = await lamportsOf(stack, sender.address)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  const leaves = await countLeaves()
  await settleNote({
    ...{ kind: 'refund', rpc: stack.rpc, poseidon: wasmPoseidon },
    prove: (inputs) => stack.prover.prove(inputs),
    ticket: { program: PROGRAM, orderId: terms.orderId, note },
    payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
  })
  await waitUntil(async () => (await lamportsOf(stack, sender.address)) === before + VALUE)
  await waitUntil(async () => (await countLeaves()) > leaves)
  await waitUntil(async () => (await countUnknown(stack)) === 0)
  expect(await compared(stack)).toBe(true)
  expect(await halted(stack)).toBeNull()
})

it('a settlement explains no leaf if its proof is invalid', async () => {
  await engine.stop()
  // The node shows the settlement with a wrong payout, so the proof is invalid. A node could also show a deposit as an
  // invented settlement.
  engine = startEngine(stack, (chain) => ({
    ...chain,
    readSettled: async (slotFrom, head) =>
      (await chain.readSettled(slotFrom, head)).map((transaction) => ({
        ...transaction,
        appended: transaction.appended.map((one) =>
          one.kind === 'deposit' || one.settlement === undefined
            ? one
            : {
                ...one,
                settlement: { ...one.settlement, payout: amount(one.settlement.payout + 1n) },
              },
        ),
      })),
  }))
  const order = await topUp()
  await waitForStatus(stack, order, 'deposited')
  await payByOwnHand(stack, order, SECRET, 100_000_000n)
  await waitUntil(async () => engine.reports.alerts.includes('deposit_terms_differ'))
  expect((await readState(stack, order)).status).toBe('deposited')
  expect(await countUnknown(stack)).toBe(1)
  expect(await halted(stack)).toBeNull()
  await engine.stop()
  engine = startEngine(stack)
  await waitForStatus(stack, order, 'delivered')
  await waitUntil(async () => (await countUnknown(stack)) === 0)
})

it("a lost order's leaf stays unexplained even if an owner later pays without the service", async () => {
  const delivered = async () => {
    const recipient = makeWallet().address
    const order = await placeOrder(stack, { amountOut: VALUE, fee: 500_000n, recipient })
    await deposit(stack, order)
    await waitForStatus(stack, order, 'delivered')
  }
  await waitUntil(async () => (await countUnknown(stack)) === 0)
  const paid = await topUp()
  await waitForStatus(stack, paid, 'deposited')
  const lost = await placeTopUp({})
  await stack.database.query('DELETE FROM orders WHERE id = $1', [lost.terms.orderId])
  const leaves = await countLeaves()
  await deposit(stack, lost)
  await waitUntil(async () => (await countLeaves()) > leaves)
  // The service knows only the first note of the balance.
  for (const payout of [10_000_000n, 20_000_000n]) await payByOwnHand(stack, paid, SECRET, payout)
  await waitForStatus(stack, paid, 'delivered')
  for (const _ of [1, 2, 3]) await delivered()
  expect(await countUnknown(stack)).toBe(2)
})
