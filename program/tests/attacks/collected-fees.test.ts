import { amount, collectFeesInstruction, NATIVE_MINT } from '@sotto/protocol'
import { expect, test } from 'vitest'
import { draftOrder, Ledger, type Order } from '../fixtures/deposits.ts'
import { expectLanded, readAsset, START, startPool } from '../fixtures/pool.ts'
import { gridBefore, makeSettlement, settle } from '../fixtures/settlements.ts'

const DAY = 86_400n
const AMOUNT = 1_000_000_000n
const FEE = 400_000_000n

/** A pool with an old order that was never delivered, and what else is done there. */
async function startWithOldOrder() {
  const fixture = await startPool()
  const { chain, admin } = fixture
  const ledger = new Ledger()
  const deposit = async () => {
    const order = await draftOrder(fixture, {
      sourceMint: NATIVE_MINT,
      amountOut: AMOUNT,
      fee: FEE,
    })
    return { order, leaf: await ledger.deposit(fixture, order) }
  }
  /** Refunds a note to its sender; returns how much arrived. */
  const refund = async ({ order, leaf }: { order: Order; leaf: number }) => {
    const before = chain.balance(order.sender.address)
    const wish = { isRefund: true, time: gridBefore(chain.time) }
    const made = await makeSettlement(ledger, order, leaf, wish)
    const relayer = await chain.wallet()
    expectLanded(await chain.send([relayer], [await settle(fixture, relayer, NATIVE_MINT, made)]))
    return chain.balance(order.sender.address) - before
  }
  /** Takes one order's fee, as the operator does once it is collectable. */
  const collect = async () => {
    const at = { program: chain.program, admin: admin.address, mint: NATIVE_MINT }
    const wish = { ...at, destination: admin.address }
    expectLanded(await chain.send([admin], [await collectFeesInstruction(wish, amount(FEE))]))
  }
  return { fixture, deposit, refund, collect, old: await deposit() }
}

test('not prevented: after its own fee was collected, an old refund takes a newer order’s fee', async () => {
  const { fixture, deposit, refund, collect, old } = await startWithOldOrder()
  const { chain } = fixture
  // The old fee is collected while the old note can still be refunded.
  chain.setTime(START + 25n * DAY)
  await collect()
  const stranger = await deposit()
  expect(await refund(old)).toBe(AMOUNT + FEE)
  // It came from the only fee that was left, which was the stranger's.
  expect((await readAsset(fixture, NATIVE_MINT)).feesToday).toBe(0n)
  chain.setTime(stranger.order.terms.expiry + 600n)
  expect(await refund(stranger)).toBe(AMOUNT)
})

test('who leaves the fees of all notes that can still be refunded lets every refund be whole', async () => {
  const { fixture, deposit, refund, collect, old } = await startWithOldOrder()
  const { chain } = fixture
  // Somebody else's note, which counts as delivered: its fee is the operator's.
  await deposit()
  chain.setTime(START + 25n * DAY)
  await collect()
  const stranger = await deposit()
  expect(await refund(old)).toBe(AMOUNT + FEE)
  chain.setTime(stranger.order.terms.expiry + 600n)
  expect(await refund(stranger)).toBe(AMOUNT + FEE)
})
