import { wasmPoseidon } from '@sotto/poseidon'
import { changeNkOf, fieldToBytes, leafOfNote, nullifierOf } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compared, halted } from './stack/books.ts'
import { countUnknown } from './stack/count-unknown.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, readState, waitForStatus } from './stack/orders.ts'
import { pay, payByOwnHand, waitForPayment } from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { PAST_EXPIRY_SECONDS, placeTopUp, SECRET, topUp, VALUE } from './stack/top-ups.ts'
import { makeWallet } from './stack/wallet.ts'

const LEFT = 100_000_000n

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

/**
 * Makes two orders of one owner. Only the first order is paid. If a payment leaves `LEFT` in the first balance, the
 * payment's change has the same leaf as the second order.
 */
async function twins() {
  const lifeSeconds = 86_400n
  const paid = await topUp(stack, { lifeSeconds })
  await waitForStatus(stack, paid, 'deposited')
  const [row] = await stack.database.query<{ leaf_index: string }>(
    'SELECT leaf_index FROM orders WHERE id = $1',
    [paid.terms.orderId],
  )
  const nullifier = nullifierOf(wasmPoseidon, paid.note.nk, BigInt(row!.leaf_index))
  const nk = changeNkOf(wasmPoseidon, SECRET, nullifier)
  const { sender } = paid
  const { deadline } = paid.note
  const unpaid = await placeTopUp(stack, { deadline, lifeSeconds, sender, nk, amountOut: LEFT })
  return { paid, unpaid }
}

/**
 * Makes the two orders of `twins`. Then the owner pays without the service. The change of that payment has the leaf of
 * the unpaid order.
 */
async function doubled() {
  const { paid, unpaid } = await twins()
  await payByOwnHand(stack, paid, SECRET, VALUE - LEFT)
  const leaf = fieldToBytes(leafOfNote(wasmPoseidon, stack.domain, unpaid.note))
  const places = async () => {
    const query = 'SELECT leaf_index FROM leaves WHERE leaf = $1 ORDER BY leaf_index'
    const rows = await stack.database.query<{ leaf_index: string }>(query, [leaf])
    return rows.map(({ leaf_index: place }) => place)
  }
  await waitUntil(async () => (await places()).length === 1)
  return { unpaid, places }
}

it('the residue after the last payment of a balance is never returned', async () => {
  const order = await topUp(stack)
  const { terms, note, sender } = order
  await waitForStatus(stack, order, 'deposited')
  const last = { payee: sender.address, payout: VALUE / 2n, isLast: true } as const
  // More than a thousandth of the balance is left, so `isLast` doesn't end the balance.
  const { left } = await pay(stack, { orderId: terms.orderId, note, secret: SECRET }, last)
  await pay(stack, left, { ...last, payout: left.note.value - 1_777n })
  const { attempts } = await waitForStatus(stack, order, 'delivered')
  const before = await lamportsOf(stack, sender.address)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  expect([await compared(stack), await halted(stack), attempts]).toEqual([true, null, []])
  expect(await lamportsOf(stack, sender.address)).toBe(before)
})

it('a balance ends as delivered if a payment empties it', async () => {
  const order = await topUp(stack)
  await waitForStatus(stack, order, 'deposited')
  const payee = makeWallet().address
  const balance = { orderId: order.terms.orderId, note: order.note, secret: SECRET }
  const made = await pay(stack, balance, { payee, payout: VALUE - 1_000n })
  await waitForPayment(stack, made, 'delivered')
  const { outcome, attempts } = await waitForStatus(stack, order, 'delivered')
  expect([attempts, outcome?.amount]).toEqual([[], undefined])
  expect(await lamportsOf(stack, payee)).toBe(VALUE - 1_000n)
  expect(await countUnknown(stack)).toBe(0)
  expect(await compared(stack)).toBe(true)
})

it('the books agree if the leaf of a payment’s change equals the leaf of a paid order', async () => {
  await engine.stop()
  engine = startEngine(stack, (chain) => ({
    ...chain,
    simulate: async () => {
      throw new Error('cut off')
    },
  }))
  const { paid, unpaid } = await twins()
  const balance = { orderId: paid.terms.orderId, note: paid.note, secret: SECRET }
  const wish = { payee: makeWallet().address, payout: VALUE - LEFT - 1_000n }
  const made = await pay(stack, balance, wish)
  expect(made.left.note).toEqual(unpaid.note)
  await deposit(stack, unpaid)
  await waitForStatus(stack, unpaid, 'deposited')
  expect(await compared(stack)).toBe(true)
  expect(await countUnknown(stack)).toBe(0)
  await engine.stop()
  engine = startEngine(stack)
  await waitForPayment(stack, made, 'delivered')
  await waitUntil(async () => (await countUnknown(stack)) === 0)
  expect(await compared(stack)).toBe(true)
  expect(await halted(stack)).toBeNull()
})

it('I4: a change does not count as the deposit of an unpaid order with the same leaf', async () => {
  const { unpaid, places } = await doubled()
  expect(await compared(stack)).toBe(true)
  expect((await readState(stack, unpaid)).status).toBe('awaiting_deposit')
  // The order's own deposit is still found, at its own leaf index, after the change's leaf.
  await deposit(stack, unpaid)
  await waitForStatus(stack, unpaid, 'deposited')
  const [own] = await stack.database.query<{ leaf_index: string }>(
    'SELECT leaf_index FROM orders WHERE id = $1',
    [unpaid.terms.orderId],
  )
  expect(own!.leaf_index).toBe((await places())[1])
  expect(await halted(stack)).toBeNull()
})

it('I8: an unpaid order expires even if a change has the same leaf', async () => {
  const { unpaid } = await doubled()
  await stack.localnet.local('localnet_advanceTime', [1_800 + 600])
  await waitForStatus(stack, unpaid, 'expired')
})
