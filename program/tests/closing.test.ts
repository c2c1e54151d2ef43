import { beforeEach, expect, test } from 'vitest'
import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import {
  closeNullifierInstruction,
  closeOrderInstruction,
  NATIVE_MINT,
  NULLIFIER_BYTES,
  NULLIFIER_SECONDS,
  nullifierAddress,
  ORDER_BYTES,
  orderAddress,
} from '@sotto/protocol'
import { draftOrder, sendDeposit, type Order } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { withAccount, withDataLength, withReadonly } from './fixtures/instruction-edits.ts'
import { expectLanded, startPool, type PoolFixture } from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'
import { gridAfter } from './fixtures/grid.ts'

const SEND = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n }

const sendBy = async ({ chain }: PoolFixture, by: KeyPairSigner, instruction: Instruction) =>
  (await chain.send([by], [instruction])).refusal

test('a Nullifier can be closed at the end of its life', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, SEND)
  const leafIndex = await ledger.deposit(fixture, order)
  const relayer = await chain.wallet()
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  const settledAt = chain.time

  const stranger = await chain.wallet()
  const account = await nullifierAddress(chain.program, settlement.nullifier)
  const closing = closeNullifierInstruction(chain.program, [
    { account, rentPayer: relayer.address },
  ])
  chain.setTime(settledAt + NULLIFIER_SECONDS - 1n)
  expect(await sendBy(fixture, stranger, closing)).toBe('TooEarlyToClose')
  chain.setTime(settledAt + NULLIFIER_SECONDS)
  const toStranger = withAccount(closing, 1, stranger.address)
  expect(await sendBy(fixture, stranger, toStranger)).toBe('WrongAddress')
  const asOrder = { ...closing, data: Uint8Array.of(10) }
  expect(await sendBy(fixture, stranger, asOrder)).toBe('WrongAccountData')
  const before = chain.balance(relayer.address)
  expect(await sendBy(fixture, stranger, closing)).toBeUndefined()
  expect(chain.balance(relayer.address) - before).toBe(chain.rentMinimum(NULLIFIER_BYTES))
  expect(await sendBy(fixture, stranger, closing)).toBe('WrongOwner')
})

let fixture: PoolFixture
let stranger: KeyPairSigner
let orders: Order[]
let accounts: Address[]
let closing: Instruction

beforeEach(async () => {
  fixture = await startPool()
  const { chain } = fixture
  stranger = await chain.wallet()
  orders = [await draftOrder(fixture, SEND), await draftOrder(fixture, SEND)]
  for (const order of orders) expectLanded(await sendDeposit(fixture, order))
  accounts = await Promise.all(
    orders.map(({ terms }) => orderAddress(chain.program, terms.orderId)),
  )
  closing = closeOrders([0, 1])
})

const closeOrders = (indexes: number[]): Instruction =>
  closeOrderInstruction(
    fixture.chain.program,
    indexes.flatMap((index) => {
      const [account, order] = [accounts[index], orders[index]]
      return account && order ? [{ account, rentPayer: order.terms.sender }] : []
    }),
  )

const closableAt = () => (orders[0]?.terms.deadline ?? 0n) + 86_400n

test('anyone may close an Order a day after its deadline', async () => {
  const { chain } = fixture
  chain.setTime(closableAt() - 1n)
  expect(await sendBy(fixture, stranger, closing)).toBe('TooEarlyToClose')
  chain.setTime(closableAt())
  const before = orders.map(({ terms }) => chain.balance(terms.sender))
  expect(await sendBy(fixture, stranger, closing)).toBeUndefined()
  const gained = orders.map(
    ({ terms }, index) => chain.balance(terms.sender) - (before[index] ?? 0n),
  )
  expect(gained).toEqual([chain.rentMinimum(ORDER_BYTES), chain.rentMinimum(ORDER_BYTES)])
  expect(accounts.map((account) => chain.balance(account))).toEqual([0n, 0n])
})

test('a batch that names an Order twice is refused', async () => {
  const { chain } = fixture
  chain.setTime(closableAt())
  expect(await sendBy(fixture, stranger, closeOrders([0, 0]))).toBe('WrongOwner')
  expect(chain.balance(accounts[0] ?? stranger.address)).toBe(chain.rentMinimum(ORDER_BYTES))
})

test('the sender also gets lamports that a stranger added to the Order', async () => {
  const { chain } = fixture
  const [order] = orders
  const [account] = accounts
  if (!order || !account) throw new Error('no order')
  chain.fund(account, 12_345n)
  chain.setTime(closableAt())
  const before = chain.balance(order.terms.sender)
  expect(await sendBy(fixture, stranger, closeOrders([0]))).toBeUndefined()
  expect(chain.balance(order.terms.sender) - before).toBe(chain.rentMinimum(ORDER_BYTES) + 12_345n)
})

test('closing an order is refused with wrong accounts or data', async () => {
  const { chain, pool } = fixture
  chain.setTime(closableAt())
  const toStranger = withAccount(closing, 1, stranger.address)
  expect(await sendBy(fixture, stranger, toStranger)).toBe('WrongAddress')
  expect(await sendBy(fixture, stranger, withAccount(closing, 0, pool))).toBe('WrongAccountData')
  const wallet = withAccount(closing, 0, stranger.address)
  expect(await sendBy(fixture, stranger, wallet)).toBe('WrongOwner')
  const asNullifier = { ...closing, data: Uint8Array.of(11) }
  expect(await sendBy(fixture, stranger, asNullifier)).toBe('WrongAccountData')
  expect(await sendBy(fixture, stranger, withReadonly(closing, 0))).toBe('NotWritable')
  expect(await sendBy(fixture, stranger, withReadonly(closing, 1))).toBe('NotWritable')
  const odd = { ...closing, accounts: (closing.accounts ?? []).slice(0, 3) }
  expect(await sendBy(fixture, stranger, odd)).toBe('WrongAccountCount')
  expect(await sendBy(fixture, stranger, { ...closing, accounts: [] })).toBe('WrongAccountCount')
  expect(await sendBy(fixture, stranger, withDataLength(closing, 1))).toBe('InvalidInstructionData')
})
