import { expect, test } from 'vitest'
import {
  closeOrderInstruction,
  CLOSE_DELAY_SECONDS,
  decodeOrder,
  NATIVE_MINT,
  orderAddress,
  unixSeconds,
} from '@sotto/protocol'
import { draftOrder, sendDeposit } from '../fixtures/deposits.ts'
import { expectLanded, readAsset, startPool, vaultBalance } from '../fixtures/pool.ts'

const AMOUNT = 1_000_000_000n

test('not prevented: a stolen authoriser key authorises an order id again after its Order is closed', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const { terms, ...order } = await draftOrder(fixture, {
    sourceMint: NATIVE_MINT,
    amountOut: AMOUNT,
  })
  expectLanded(await sendDeposit(fixture, { ...order, terms }))
  const account = await orderAddress(chain.program, terms.orderId)
  const closing = closeOrderInstruction(chain.program, [{ account, rentPayer: terms.sender }])
  const later = (seconds: bigint) => ({
    ...terms,
    deadline: unixSeconds(terms.deadline + seconds),
    validUntil: unixSeconds(terms.deadline + seconds),
  })
  const again = { ...order, terms: later(2n * CLOSE_DELAY_SECONDS) }
  // An Order can be closed only a day after its deadline. So two deposits with the same id are at least a day apart.
  chain.setTime(terms.deadline + CLOSE_DELAY_SECONDS - 1n)
  expect((await chain.send([order.sender], [closing])).refusal).toBe('TooEarlyToClose')
  chain.setTime(again.terms.deadline - 1_800n)
  expect((await sendDeposit(fixture, again)).refusal).toBe('OrderExists')
  expectLanded(await chain.send([order.sender], [closing]))
  // The first authorisation has expired, so a second deposit needs a new authorisation.
  expect((await sendDeposit(fixture, { ...order, terms })).refusal).toBe('DeadlinePassed')
  expectLanded(await sendDeposit(fixture, again))
  expect(decodeOrder(chain.data(account) ?? new Uint8Array()).leafIndex).toBe(1n)
  // The second deposit's sender paid for its note in full, and the first note is unchanged.
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(2n * AMOUNT)
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(2n * AMOUNT)
})
