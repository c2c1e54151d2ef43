import { beforeAll, expect, test } from 'vitest'
import {
  closeNullifierInstruction,
  NATIVE_MINT,
  NULLIFIER_SECONDS,
  nullifierAddress,
  type Settlement,
} from '@sotto/protocol'
import { draftOrder } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { expectLanded, readAsset, startPool, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'

const AMOUNT = 1_000_000_000n
let fixture: PoolFixture
let expiry: bigint
/** Two notes. Each has a delivery and a refund, and both proofs would be valid at their own times. */
let notes: readonly { delivery: Settlement; refund: Settlement }[]

beforeAll(async () => {
  fixture = await startPool()
  const ledger = new Ledger()
  const drafts = [0, 1].map(() =>
    draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: AMOUNT, fee: 1_000n }),
  )
  const orders = await Promise.all(drafts)
  for (const order of orders) await ledger.deposit(fixture, order)
  expiry = orders[0]?.note.expiry ?? 0n
  notes = await Promise.all(
    orders.map(async (order, leafIndex) => ({
      delivery: await makeSettlement(ledger, order, leafIndex, { time: expiry }),
      refund: await makeSettlement(ledger, order, leafIndex, {
        isRefund: true,
        time: expiry + 600n,
      }),
    })),
  )
})

async function submit(settlement: Settlement, clock: bigint) {
  const { chain } = fixture
  chain.setTime(clock)
  const relayer = await chain.wallet()
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  const outcome = await chain.send([relayer], [instruction])
  return { refusal: outcome.refusal, relayer }
}

const noteAt = (index: number) => {
  const note = notes[index]
  if (note === undefined) throw new Error('no such note')
  return note
}

test('I2: a delivered note cannot be settled again', async () => {
  const { delivery, refund } = noteAt(0)
  expect((await submit(delivery, expiry - 10n)).refusal).toBeUndefined()
  expect((await submit(delivery, expiry - 5n)).refusal).toBe('NullifierSpent')
  expect((await submit(refund, expiry + 600n)).refusal).toBe('NullifierSpent')
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(AMOUNT + 1_000n)
})

test('I2: a refunded note cannot be settled again', async () => {
  const { delivery, refund } = noteAt(1)
  const { refusal, relayer } = await submit(refund, expiry + 700n)
  expect(refusal).toBeUndefined()
  expect((await submit(refund, expiry + 710n)).refusal).toBe('NullifierSpent')
  // The test sets the clock back to a time at which the delivery's proof is valid. This is impossible on a real chain.
  expect((await submit(delivery, expiry)).refusal).toBe('NullifierSpent')

  const { chain } = fixture
  const account = await nullifierAddress(chain.program, refund.nullifier)
  const closing = closeNullifierInstruction(chain.program, [
    { account, rentPayer: relayer.address },
  ])
  const again = await settle(fixture, relayer, NATIVE_MINT, refund)
  chain.setTime(expiry + 700n + NULLIFIER_SECONDS)
  // One transaction closes the Nullifier and settles the note again. The program refuses the settlement, because the
  // proof's time is long past.
  expect((await chain.send([relayer], [closing, again])).refusal).toBe('RefundTimeOutOfRange')
  expectLanded(await chain.send([relayer], [closing]))
  expect((await submit(refund, chain.time)).refusal).toBe('RefundTimeOutOfRange')
  expect((await submit(delivery, chain.time)).refusal).toBe('SettlementTimePassed')
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(0n)
})
