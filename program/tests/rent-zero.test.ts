import { Rent } from 'litesvm'
import { expect, it } from 'vitest'
import { NATIVE_MINT } from '@sotto/protocol'
import { draftOrder, sendDeposit } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { expectLanded, startPool } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'

const AMOUNT = 1_000_000_000n
/** The rent of a cluster that takes none. */
const NO_RENT = new Rent(0n, 1, 50)

it('I2: a note is settled only once on a cluster that takes no rent', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const asked = { sourceMint: NATIVE_MINT, amountOut: AMOUNT, fee: 1_000n }
  const order = await draftOrder(fixture, asked)
  await ledger.deposit(fixture, order)
  // Another note, so that the vault could pay twice.
  await ledger.deposit(fixture, await draftOrder(fixture, asked))
  const { expiry } = order.note
  const delivery = await makeSettlement(ledger, order, 0, { time: expiry })
  chain.svm.setRent(NO_RENT)
  chain.setTime(expiry - 10n)
  const relayer = await chain.wallet()
  const send = async () =>
    chain.send([relayer], [await settle(fixture, relayer, NATIVE_MINT, delivery)])
  expectLanded(await send())
  expect((await send()).refusal).toBe('NullifierSpent')
})

it('I4: an order is deposited only once on a cluster that takes no rent', async () => {
  const fixture = await startPool()
  const order = await draftOrder(fixture, {
    ...{ sourceMint: NATIVE_MINT, amountOut: AMOUNT, fee: 1_000n },
  })
  fixture.chain.svm.setRent(NO_RENT)
  expectLanded(await sendDeposit(fixture, order))
  expect((await sendDeposit(fixture, order)).refusal).toBe('OrderExists')
})
