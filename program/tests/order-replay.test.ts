import { beforeEach, expect, test } from 'vitest'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  closeOrderInstruction,
  NATIVE_MINT,
  ORDER_BYTES,
  orderAddress,
  unixSeconds,
} from '@sotto/protocol'
import { depositPair, draftOrder, sendDeposit, type Order } from './fixtures/deposits.ts'
import { expectLanded, readAsset, startPool, type PoolFixture } from './fixtures/pool.ts'

const AMOUNT = 1_000_000_000n
let fixture: PoolFixture
let order: Order

beforeEach(async () => {
  fixture = await startPool()
  order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: AMOUNT })
})

test('I4: an order can be deposited only once', async () => {
  expectLanded(await sendDeposit(fixture, order))
  expect((await sendDeposit(fixture, order)).refusal).toBe('OrderExists')
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(AMOUNT)
})

test('I4: an order cannot be deposited again with other times', async () => {
  const { deadline } = order.terms
  const refreshed = { ...order, terms: { ...order.terms, validUntil: unixSeconds(deadline - 60n) } }
  expectLanded(await sendDeposit(fixture, refreshed))
  expect((await sendDeposit(fixture, order)).refusal).toBe('OrderExists')
})

test('I4: a transaction with two deposits of one order is refused', async () => {
  const pair = await depositPair(fixture, order.terms)
  const outcome = await fixture.chain.send([order.sender], [...pair, ...pair])
  expect(outcome.refusal).toBe('OrderExists')
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(0n)
})

test('I4: another sender cannot take over an order', async () => {
  const thief = await fixture.chain.wallet()
  const [authorisation, deposit] = await depositPair(fixture, order.terms)
  const accounts = (deposit.accounts ?? []).map((account, index) =>
    index === 0 ? { ...account, address: thief.address } : account,
  )
  const outcome = await fixture.chain.send([thief], [authorisation, { ...deposit, accounts }])
  expect(outcome.refusal).toBe('AuthorisationMismatch')
})

test('I4: closing an order and depositing it again in one transaction is refused', async () => {
  const { chain } = fixture
  expectLanded(await sendDeposit(fixture, order))
  const account = await orderAddress(chain.program, order.terms.orderId)
  chain.setTime(order.terms.deadline + 86_400n)
  const closing = closeOrderInstruction(chain.program, [{ account, rentPayer: order.terms.sender }])
  const pair = await depositPair(fixture, order.terms)
  expect((await chain.send([order.sender], [closing, ...pair])).refusal).toBe('DeadlinePassed')
})

test('lamports sent to a closed Order create only an empty wallet', async () => {
  const { chain } = fixture
  expectLanded(await sendDeposit(fixture, order))
  const account = await orderAddress(chain.program, order.terms.orderId)
  chain.setTime(order.terms.deadline + 86_400n)
  const closing = closeOrderInstruction(chain.program, [{ account, rentPayer: order.terms.sender }])
  const revival = getTransferSolInstruction({
    source: order.sender,
    destination: account,
    amount: chain.rentMinimum(ORDER_BYTES),
  })
  expectLanded(await chain.send([order.sender], [closing, revival]))
  expect(chain.data(account)).toHaveLength(0)
  expect(chain.svm.getAccount(account)).toMatchObject({
    programAddress: '11111111111111111111111111111111',
  })
  expect((await chain.send([order.sender], [closing])).refusal).toBe('WrongOwner')
})
