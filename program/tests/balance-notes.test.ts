import { beforeEach, expect, test } from 'vitest'
import type { Address, KeyPairSigner } from '@solana/kit'
import {
  closeNullifierInstruction,
  MAX_LIFE_SECONDS,
  NATIVE_MINT,
  NULLIFIER_SECONDS,
  nullifierAddress,
  REFUND_WINDOW_SECONDS,
  SKEW_SECONDS,
  type Settlement,
} from '@sotto/protocol'
import { draftOrder, type Order } from './fixtures/deposits.ts'
import { gridAfter, gridBefore } from './fixtures/grid.ts'
import { Ledger } from './fixtures/ledger.ts'
import { makeOwner } from './fixtures/owners.ts'
import {
  readAsset,
  START,
  startPool,
  stock,
  vaultBalance,
  type PoolFixture,
} from './fixtures/pool.ts'
import {
  changeNote,
  makeSettlement,
  settle,
  type PaymentWish,
  type SettleWish,
  type Spendable,
} from './fixtures/settlements.ts'
import { giveTokens, tokenBalance } from './fixtures/token-accounts.ts'

const VALUE = 1_000_000_000n
const FEE = 1_000_000n
const owner = makeOwner(7)
/** A time on the grid, soon after the start of each test. Payments with this time can land immediately. */
const TIME = START + 600n

let fixture: PoolFixture
let ledger: Ledger
let relayer: KeyPairSigner
let order: Order

/** Each test starts with a deposited balance of native SOL. */
beforeEach(async () => {
  fixture = await startPool()
  ledger = new Ledger()
  relayer = await fixture.chain.wallet()
  order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: VALUE, owner })
  await ledger.deposit(fixture, order)
})

const pay = (spent: Spendable, leaf: number, payment: PaymentWish, time = TIME) =>
  makeSettlement(ledger, spent, leaf, { time, payment })

const submit = async (settlement: Settlement): Promise<string | undefined> => {
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  return (await fixture.chain.send([relayer], [instruction])).refusal
}
const land = (settlement: Settlement) => ledger.settle(fixture, relayer, NATIVE_MINT, settlement)
const received = (wallet: Address) => fixture.chain.balance(wallet) - 100_000_000_000n
const payee = async () => (await fixture.chain.wallet()).address

/** Pays a part of a balance. Returns the change and the index of its leaf. */
async function payPart(spent: Spendable, leaf: number, payment: PaymentWish) {
  await land(await pay(spent, leaf, payment))
  const rest: Spendable = { note: changeNote(spent, leaf, payment, TIME), owner }
  return { rest, leaf: ledger.tree.size - 1 }
}

test('a balance makes payments until it is empty', async () => {
  const [first, second, third] = [await payee(), await payee(), await payee()]
  const one = await payPart(order, 0, { payee: first, payout: 300_000_000n, fee: FEE })
  expect(one.rest.note.value).toBe(VALUE - 301_000_000n)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 699_000_000n, fees: FEE })
  const two = await payPart(one.rest, one.leaf, { payee: second, payout: 99_000_000n, fee: FEE })
  expect(two.rest.note.value).toBe(599_000_000n)
  await land(await pay(two.rest, two.leaf, { payee: third, payout: 598_000_000n, fee: FEE }))
  expect([first, second, third].map(received)).toEqual([300_000_000n, 99_000_000n, 598_000_000n])
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 3n * FEE })
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(3n * FEE)
})

test('I2: one signature pays only once, even with two proofs', async () => {
  const payment = { payee: await payee(), payout: 300_000_000n, fee: FEE, validUntil: TIME + 600n }
  const settlement = await pay(order, 0, payment)
  const again = await pay(order, 0, payment, TIME + 600n)
  // The change note depends on the signature. It doesn't depend on the time in the proof.
  expect(again.changeLeaf).toBe(settlement.changeLeaf)
  await land(settlement)
  expect(await submit(settlement)).toBe('NullifierSpent')
  expect(await submit(again)).toBe('NullifierSpent')
  expect(received(payment.payee)).toBe(300_000_000n)
})

test('I2: of two payments signed for one note, only the first lands', async () => {
  const [first, second] = [await payee(), await payee()]
  const one = await pay(order, 0, { payee: first, payout: 300_000_000n, fee: FEE })
  const other = await pay(order, 0, { payee: second, payout: VALUE })
  await land(other)
  expect(await submit(one)).toBe('NullifierSpent')
  expect([received(first), received(second)]).toEqual([0n, VALUE])
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 0n })
})

test('I3: a payment’s proof cannot pay another payee, amount, fee or change', async () => {
  const settlement = await pay(order, 0, { payee: await payee(), payout: 300_000_000n, fee: FEE })
  const thief = await payee()
  const plus = <T extends bigint>(value: T, more: bigint) => (value + more) as T
  const forgeries: Partial<Settlement>[] = [
    { payee: thief },
    { payout: plus(settlement.payout, 1n) },
    { fee: plus(settlement.fee, 1n) },
    { payout: plus(settlement.payout, 1n), fee: plus(settlement.fee, -1n) },
    { changeLeaf: settlement.changeLeaf + 1n },
    { time: plus(settlement.time, 600n) },
  ]
  for (const forgery of forgeries) {
    expect(await submit({ ...settlement, ...forgery })).toBe('ProofInvalid')
  }
  expect(await submit(settlement)).toBeUndefined()
})

test('I5: a payment lands up to its time and not after', async () => {
  const settlement = await pay(order, 0, { payee: await payee(), payout: VALUE })
  fixture.chain.setTime(TIME + 1n)
  expect(await submit(settlement)).toBe('SettlementTimePassed')
  fixture.chain.setTime(TIME)
  expect(await submit(settlement)).toBeUndefined()
})

const refundOf = (spent: Spendable, leaf: number, time: bigint) => {
  const wish: SettleWish = { isRefund: true, time }
  return makeSettlement(ledger, { note: spent.note }, leaf, wish)
}

test('an expired balance returns to its sender without the owner’s key', async () => {
  const { chain } = fixture
  chain.setTime(order.note.expiry + 601n)
  const before = chain.balance(order.terms.sender)
  await land(await refundOf(order, 0, gridBefore(chain.time)))
  expect(chain.balance(order.terms.sender) - before).toBe(VALUE)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: 0n })
})

test('a refund after a payment returns only the rest to the sender', async () => {
  const { chain } = fixture
  const payment = { payee: await payee(), payout: 300_000_000n, fee: FEE }
  const { rest, leaf } = await payPart(order, 0, payment)
  chain.setTime(order.note.expiry + 601n)
  const time = gridBefore(chain.time)
  const before = chain.balance(order.terms.sender)
  // A refund of the spent note is refused.
  expect(await submit(await refundOf(order, 0, time))).toBe('NullifierSpent')
  await land(await refundOf(rest, leaf, time))
  expect(chain.balance(order.terms.sender) - before).toBe(VALUE - 300_000_000n - FEE)
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: 0n, fees: FEE })
})

test('I2: a note of a postponed balance cannot be settled again after its Nullifier is closed', async () => {
  const { chain } = fixture
  const life = MAX_LIFE_SECONDS
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, owner, life }
  const lasting = await draftOrder(fixture, wish)
  const first: { rest: Spendable; leaf: number } = {
    rest: lasting,
    leaf: await ledger.deposit(fixture, lasting),
  }
  const paid: Settlement[] = []
  let now = first
  // Each payment is made 20 days after the previous payment. The last payment is made 80 days after the deposit.
  for (let count = 0; count < 4; count += 1) {
    chain.setTime(chain.time + 1_728_000n)
    const payment = { payee: await payee(), payout: 100_000_000n, fee: FEE }
    const time = gridAfter(chain.time + 1n)
    const settlement = await pay(now.rest, now.leaf, payment, time)
    await land(settlement)
    paid.push(settlement)
    const note = changeNote(now.rest, now.leaf, payment, time)
    expect([note.deadline % 86_400n, note.expiry - note.deadline]).toEqual([0n, life])
    expect(chain.time - note.deadline < 86_400n).toBe(true)
    now = { rest: { note, owner }, leaf: ledger.tree.size - 1 }
  }
  expect(chain.time > lasting.note.expiry).toBe(true)
  expect(await submit(await refundOf(now.rest, now.leaf, now.rest.note.expiry + 600n))).toBe(
    'RefundTimeOutOfRange',
  )
  const spent = await nullifierAddress(chain.program, paid[0]!.nullifier)
  chain.setTime(now.rest.note.expiry + 601n)
  const closing = { account: spent, rentPayer: relayer.address }
  const close = closeNullifierInstruction(chain.program, [closing])
  expect((await chain.send([relayer], [close])).refusal).toBeUndefined()
  // The first note's Nullifier is closed now. Still, its payment and a refund are refused.
  expect(await submit(paid[0]!)).toBe('SettlementTimePassed')
  const last = lasting.note.expiry + REFUND_WINDOW_SECONDS
  expect(await submit(await refundOf(lasting, first.leaf, last))).toBe('RefundTimeOutOfRange')
  const before = chain.balance(lasting.terms.sender)
  await land(await refundOf(now.rest, now.leaf, gridBefore(chain.time)))
  expect(chain.balance(lasting.terms.sender) - before).toBe(VALUE - 4n * (100_000_000n + FEE))
})

test('I2: a payment is refused if its time is ahead of the clock by more than the skew', async () => {
  const time = TIME + 86_400n
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, owner, life: MAX_LIFE_SECONDS }
  const lasting = await draftOrder(fixture, wish)
  const leaf = await ledger.deposit(fixture, lasting)
  const payment = { payee: await payee(), payout: 300_000_000n, fee: FEE }
  const early = await pay(lasting, leaf, payment, time)
  fixture.chain.setTime(time - SKEW_SECONDS - 1n)
  expect(await submit(early)).toBe('SettlementTimeTooFar')
  fixture.chain.setTime(time - SKEW_SECONDS)
  expect(await submit(early)).toBeUndefined()
})

test('I2: the Nullifier of a change note cannot be closed while the note could be settled again', async () => {
  const { chain } = fixture
  const payment = { payee: await payee(), payout: 300_000_000n, fee: FEE }
  const { rest, leaf } = await payPart(order, 0, payment)
  const last = await refundOf(rest, leaf, order.note.expiry + REFUND_WINDOW_SECONDS)
  const second = await pay(rest, leaf, { payee: payment.payee, payout: 698_000_000n, fee: FEE })
  await land(second)
  const settledAt = chain.time
  const account = await nullifierAddress(chain.program, second.nullifier)
  const rentPayer = relayer.address
  const closing = closeNullifierInstruction(chain.program, [{ account, rentPayer }])
  const close = async () => (await chain.send([relayer], [closing])).refusal
  chain.setTime(last.time + SKEW_SECONDS)
  expect(await submit(last)).toBe('NullifierSpent')
  expect(await close()).toBe('TooEarlyToClose')
  chain.setTime(settledAt + NULLIFIER_SECONDS - 1n)
  expect(await close()).toBe('TooEarlyToClose')
  chain.setTime(settledAt + NULLIFIER_SECONDS)
  expect(await close()).toBeUndefined()
  expect(await submit(last)).toBe('RefundTimeOutOfRange')
  expect(await submit(second)).toBe('SettlementTimePassed')
})

test('a balance of tokens pays into the payee’s token account', async () => {
  const { chain, token } = fixture
  await stock(fixture, token, 500_000_000n)
  const wish = { sourceMint: NATIVE_MINT, destinationMint: token, amountIn: 1_000n, owner }
  const bought = await draftOrder(fixture, { ...wish, amountOut: 400_000_000n })
  const leaf = await ledger.deposit(fixture, bought)
  const wallet = await payee()
  const account = await giveTokens(chain, token, wallet, 0n)
  const payment = { payee: wallet, payout: 150_000_000n, fee: FEE }
  const made = await pay(bought, leaf, payment, gridAfter(chain.time + 1n))
  await ledger.settle(fixture, relayer, token, made)
  expect(tokenBalance(chain, account)).toBe(150_000_000n)
  expect(await readAsset(fixture, token)).toMatchObject({ owed: 249_000_000n, fees: FEE })
})
