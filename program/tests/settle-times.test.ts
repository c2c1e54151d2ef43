import { beforeAll, expect, test } from 'vitest'
import { amount, NATIVE_MINT, unixSeconds, type Settlement } from '@sotto/protocol'
import { draftOrder, recipientOf, type Order } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { startPool, type PoolFixture } from './fixtures/pool.ts'
import { hasWitness } from './fixtures/proofs.ts'
import { makeSettlement, settle, statementOf } from './fixtures/settlements.ts'

let fixture: PoolFixture
let ledger: Ledger
/** One order for each test that settles a note, because a note can be settled only once. */
let orders: Order[]

beforeAll(async () => {
  fixture = await startPool()
  ledger = new Ledger()
  orders = []
  for (let count = 0; count < 4; count += 1) {
    const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
    await ledger.deposit(fixture, order)
    orders.push(order)
  }
})

const orderAt = (leafIndex: number): Order => {
  const order = orders[leafIndex]
  if (order === undefined) throw new Error('no such order')
  return order
}

const settlementOf = (leafIndex: number, isRefund: boolean, time: bigint) =>
  makeSettlement(ledger, orderAt(leafIndex), leafIndex, { isRefund, time })

/** True if a settlement of the second order's note can be proved for this time. */
const isProvable = (isRefund: boolean, time: bigint) =>
  hasWitness(statementOf(ledger.tree, orderAt(1), 1, { isRefund, time }).inputs)

/** Submits a settlement at `clock`. */
async function submit(settlement: Settlement, clock: bigint) {
  const { chain } = fixture
  chain.setTime(clock)
  const relayer = await chain.wallet()
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  return (await chain.send([relayer], [instruction])).refusal
}

test('I5: a delivery is refused one second after the expiry', async () => {
  const { expiry } = orderAt(0).note
  const delivery = await settlementOf(0, false, expiry)
  expect(await submit(delivery, expiry - 3_601n)).toBe('SettlementTimeTooFar')
  expect(await submit(delivery, expiry + 1n)).toBe('SettlementTimePassed')
  expect(await submit(delivery, expiry)).toBeUndefined()
})

test('I5: a delivery cannot be proved for a time after the expiry', async () => {
  const { expiry } = orderAt(1).note
  expect(await isProvable(false, expiry)).toBe(true)
  expect(await isProvable(false, expiry + 600n)).toBe(false)
})

test('I5: a refund cannot be proved for a time outside its window', async () => {
  const { expiry } = orderAt(1).note
  const times = [expiry, expiry + 600n, expiry + 2_592_000n, expiry + 2_592_600n]
  const provable = await Promise.all(times.map((time) => isProvable(true, time)))
  expect(provable).toEqual([false, true, true, false])
})

test('I5: a refund is refused before its time or when the skew has passed', async () => {
  const time = orderAt(1).note.expiry + 600n
  const refund = await settlementOf(1, true, time)
  expect(await submit(refund, time - 1n)).toBe('RefundTimeOutOfRange')
  expect(await submit(refund, time + 3_601n)).toBe('RefundTimeOutOfRange')
  expect(await submit(refund, time + 3_600n)).toBeUndefined()
})

test('a refund lands as soon as its time has come', async () => {
  const time = orderAt(2).note.expiry + 600n
  expect(await submit(await settlementOf(2, true, time), time)).toBeUndefined()
})

test('a refund proved for the end of the window lands within the skew', async () => {
  const time = orderAt(3).note.expiry + 2_592_000n
  const refund = await settlementOf(3, true, time)
  // The proof's root is still in the ring, because far fewer than 1,024 leaves were added after it.
  expect(await submit(refund, time + 3_600n)).toBeUndefined()
})

test('a time off the grid is refused before the proof is checked', async () => {
  const { expiry, nk } = orderAt(1).note
  const settlement: Settlement = {
    isRefund: false,
    root: { kind: 'recent', index: 0 },
    nullifier: nk,
    payout: orderAt(1).note.value,
    fee: amount(0n),
    payee: recipientOf(orderAt(1)),
    changeLeaf: 1n,
    time: unixSeconds(expiry + 1n),
    proof: new Uint8Array(256),
  }
  expect(await submit(settlement, expiry)).toBe('OffTimeGrid')
})
