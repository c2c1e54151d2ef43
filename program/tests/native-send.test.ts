import { beforeEach, expect, test } from 'vitest'
import {
  decodeNullifier,
  decodeOrder,
  decodeTree,
  NATIVE_MINT,
  nullifierAddress,
  orderAddress,
} from '@sotto/protocol'
import { draftOrder, Ledger, sendDeposit } from './fixtures/deposits.ts'
import {
  expectLanded,
  readAsset,
  START,
  startPool,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'
import { gridAfter, gridBefore, makeSettlement, settle } from './fixtures/settlements.ts'

const SEND = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 5_000_000n }
let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

test('a native send is deposited and delivered to the lamport', async () => {
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, SEND)
  const senderBefore = chain.balance(order.terms.sender)
  const leafIndex = await ledger.deposit(fixture, order)

  const transactionFee = 10_000n // Two signatures: the sender's and the authoriser's.
  const orderRent = chain.rentMinimum(56)
  const spent = senderBefore - chain.balance(order.terms.sender)
  expect(spent).toBe(1_005_000_000n + transactionFee + orderRent)
  const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
  expect(tree.root(0)).toBe(ledger.tree.root)
  expect(tree.checkpoint(Number((START / 3_600n) % 1_024n))).toBe(ledger.tree.root)
  const orderAccount = await orderAddress(chain.program, order.terms.orderId)
  expect(decodeOrder(chain.data(orderAccount) ?? new Uint8Array())).toEqual({
    deadline: order.terms.deadline,
    leafIndex: 0n,
    sender: order.terms.sender,
  })

  const relayer = await chain.wallet()
  const before = chain.balance(order.note.recipient)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  expect(chain.balance(order.note.recipient) - before).toBe(1_000_000_000n)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, feesToday: 5_000_000n })
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(5_000_000n)
  const nullifier = await nullifierAddress(chain.program, settlement.nullifier)
  const life = 3_600n + 86_400n + 2_592_000n + 3_600n + 86_400n
  expect(decodeNullifier(chain.data(nullifier) ?? new Uint8Array())).toEqual({
    closableAt: START + life,
    settledAt: START,
    rentPayer: relayer.address,
  })
})

test('a delivery to an address without an account opens it', async () => {
  const { chain } = fixture
  const ledger = new Ledger()
  const recipient = (await chain.key()).address
  const smallest = chain.rentMinimum(0)
  const order = await draftOrder(fixture, { ...SEND, amountOut: smallest, recipient })
  const leafIndex = await ledger.deposit(fixture, order)
  const relayer = await chain.wallet()
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  expect(chain.balance(recipient)).toBe(smallest)
})

test('a native note below the rent minimum could open no account and is refused', async () => {
  const amountOut = fixture.chain.rentMinimum(0) - 1n
  const order = await draftOrder(fixture, { ...SEND, amountOut })
  expect((await sendDeposit(fixture, order)).refusal).toBe('BelowRentMinimum')
})

test('a refund returns the amount and the fee to the sender', async () => {
  const { chain } = fixture
  const ledger = new Ledger()
  const order = await draftOrder(fixture, SEND)
  const leafIndex = await ledger.deposit(fixture, order)
  chain.setTime(order.note.expiry + 1_200n)
  const relayer = await chain.wallet()
  const before = chain.balance(order.terms.sender)
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  expectLanded(await chain.send([relayer], [instruction]))
  expect(chain.balance(order.terms.sender) - before).toBe(1_005_000_000n)
  const asset = await readAsset(fixture, NATIVE_MINT)
  expect([asset.owed, asset.feesToday, asset.feesYesterday, asset.feesCollectable]).toEqual([
    0n,
    0n,
    0n,
    0n,
  ])
})

test('the partner gets the share in the same transaction', async () => {
  const { chain } = fixture
  const partnerAccount = (await chain.wallet()).address
  const order = await draftOrder(fixture, { ...SEND, partnerFee: 3_000_000n, partnerAccount })
  const before = chain.balance(partnerAccount)
  expectLanded(await sendDeposit(fixture, order))
  expect(chain.balance(partnerAccount) - before).toBe(3_000_000n)
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(1_005_000_000n)
})
