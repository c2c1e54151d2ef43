import { beforeEach, expect, test } from 'vitest'
import {
  CHECKPOINTS,
  decodeNullifier,
  decodeOrder,
  decodeTree,
  NATIVE_MINT,
  NULLIFIER_BYTES,
  NULLIFIER_SECONDS,
  nullifierAddress,
  ORDER_BYTES,
  orderAddress,
} from '@sotto/protocol'
import { draftOrder, recipientOf, sendDeposit } from './fixtures/deposits.ts'
import { gridAfter, gridBefore } from './fixtures/grid.ts'
import { Ledger } from './fixtures/ledger.ts'
import {
  expectLanded,
  readAsset,
  START,
  startPool,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'
import { makeSettlement, settle } from './fixtures/settlements.ts'

const SEND = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 5_000_000n }
let fixture: PoolFixture
let ledger: Ledger

beforeEach(async () => {
  fixture = await startPool()
  ledger = new Ledger()
})

test('a native send moves exactly the agreed lamports', async () => {
  const { chain } = fixture
  const order = await draftOrder(fixture, SEND)
  const senderBefore = chain.balance(order.terms.sender)
  const leafIndex = await ledger.deposit(fixture, order)

  const transactionFee = 10_000n // The transaction has two signatures: the sender's and the authoriser's.
  const orderRent = chain.rentMinimum(ORDER_BYTES)
  const spent = senderBefore - chain.balance(order.terms.sender)
  expect(spent).toBe(1_005_000_000n + transactionFee + orderRent)
  const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
  expect(tree.recent(0)).toEqual({ leaf: ledger.tree.leaf(0), root: ledger.tree.root })
  const hour = Number((START / 3_600n) % BigInt(CHECKPOINTS))
  expect(tree.checkpoint(hour)).toBe(ledger.tree.root)
  const orderAccount = await orderAddress(chain.program, order.terms.orderId)
  expect(decodeOrder(chain.data(orderAccount) ?? new Uint8Array())).toEqual({
    deadline: order.terms.deadline,
    leafIndex: 0n,
    sender: order.terms.sender,
  })
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 1_005_000_000n, fees: 0n })

  const relayer = await chain.wallet()
  const [before, paidBefore] = [chain.balance(recipientOf(order)), chain.balance(relayer.address)]
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, relayer, NATIVE_MINT, settlement)
  expect(chain.balance(recipientOf(order)) - before).toBe(1_000_000_000n)
  expect(paidBefore - chain.balance(relayer.address)).toBe(
    5_000n + chain.rentMinimum(NULLIFIER_BYTES),
  )
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 5_000_000n })
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(5_000_000n)
  const nullifier = await nullifierAddress(chain.program, settlement.nullifier)
  expect(decodeNullifier(chain.data(nullifier) ?? new Uint8Array())).toMatchObject({
    closableAt: START + NULLIFIER_SECONDS,
    rentPayer: relayer.address,
  })
})

test('a settlement appends its change note even if the value is zero', async () => {
  const { chain } = fixture
  const order = await draftOrder(fixture, SEND)
  const leafIndex = await ledger.deposit(fixture, order)
  chain.setTime(START + 3_600n)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, settlement)
  const tree = decodeTree(chain.data(fixture.tree) ?? new Uint8Array())
  const hour = (START + 3_600n) / 3_600n
  expect(tree.nextIndex).toBe(2n)
  expect(tree.recent(1)).toEqual({ leaf: settlement.changeLeaf, root: ledger.tree.root })
  expect(tree.lastCheckpointHour).toBe(hour)
  expect(tree.checkpoint(Number(hour % BigInt(CHECKPOINTS)))).toBe(ledger.tree.root)
})

test('a delivery to an address without an account opens the account', async () => {
  const { chain } = fixture
  const recipient = (await chain.key()).address
  const smallest = chain.rentMinimum(0)
  const order = await draftOrder(fixture, { ...SEND, amountOut: smallest, recipient })
  const leafIndex = await ledger.deposit(fixture, order)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, settlement)
  expect(chain.balance(recipient)).toBe(smallest)
})

test('a delivery too small to open an account is refused until the account exists', async () => {
  const { chain } = fixture
  const recipient = (await chain.key()).address
  const amountOut = chain.rentMinimum(0) - 1n
  const order = await draftOrder(fixture, { ...SEND, amountOut, recipient })
  const leafIndex = await ledger.deposit(fixture, order)
  const settlement = await makeSettlement(ledger, order, leafIndex, { time: gridAfter(chain.time) })
  const relayer = await chain.wallet()
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  const { refusal } = await chain.send([relayer], [instruction])
  expect(refusal).toMatch(/InsufficientFundsForRent/)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: order.note.value })
  chain.fund(recipient, chain.rentMinimum(0))
  await ledger.settle(fixture, relayer, NATIVE_MINT, settlement)
  expect(chain.balance(recipient)).toBe(2n * chain.rentMinimum(0) - 1n)
})

test('a refund returns the amount and the fee to the sender', async () => {
  const { chain } = fixture
  const order = await draftOrder(fixture, SEND)
  const leafIndex = await ledger.deposit(fixture, order)
  chain.setTime(order.note.expiry + 1_200n)
  const before = chain.balance(order.terms.sender)
  const wish = { isRefund: true, time: gridBefore(chain.time) }
  const settlement = await makeSettlement(ledger, order, leafIndex, wish)
  await ledger.settle(fixture, await chain.wallet(), NATIVE_MINT, settlement)
  expect(chain.balance(order.terms.sender) - before).toBe(1_005_000_000n)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 0n })
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(0n)
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
