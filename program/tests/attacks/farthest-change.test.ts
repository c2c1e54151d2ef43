import { beforeEach, expect, test } from 'vitest'
import type { KeyPairSigner } from '@solana/kit'
import {
  CLOSE_DELAY_SECONDS,
  closeNullifierInstruction,
  decodeNullifier,
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  NATIVE_MINT,
  nullifierAddress,
  REFUND_WINDOW_SECONDS,
  SKEW_SECONDS,
  type Settlement,
} from '@sotto/protocol'
import { draftOrder } from '../fixtures/deposits.ts'
import { Ledger } from '../fixtures/ledger.ts'
import { makeOwner } from '../fixtures/owners.ts'
import { readAsset, startPool, type PoolFixture } from '../fixtures/pool.ts'
import { hasWitness } from '../fixtures/proofs.ts'
import {
  changeNote,
  makeSettlement,
  settle,
  statementOf,
  type PaymentWish,
  type Spendable,
} from '../fixtures/settlements.ts'

// An owner who doesn't use our clients can choose another deadline for the change of a payment. These tests use the
// latest deadline that circuit and program allow at the time of the payment. No other note that exists at that time
// ends later than this change.
const VALUE = 1_000_000_000n
const PART = 100_000_000n
const owner = makeOwner(7)

let fixture: PoolFixture
let ledger: Ledger
let relayer: KeyPairSigner
/** The balance with the longest life, and its first payment. */
let balance: Spendable
let first: Settlement
/** The change of the first payment. No other note that exists at the time of this payment can expire later. */
let farthest: Spendable
/** The clock at which the notes were created, and the latest time that a payment can have at that clock. */
let clock: bigint
let time: bigint

const submit = async (settlement: Settlement): Promise<string | undefined> => {
  const instruction = await settle(fixture, relayer, NATIVE_MINT, settlement)
  return (await fixture.chain.send([relayer], [instruction])).refusal
}
const wishFor = async (changeDeadline: bigint): Promise<PaymentWish> => ({
  payee: (await fixture.chain.wallet()).address,
  payout: PART,
  changeDeadline,
})

beforeEach(async () => {
  fixture = await startPool()
  ledger = new Ledger()
  relayer = await fixture.chain.wallet()
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, owner, life: MAX_LIFE_SECONDS }
  const order = await draftOrder(fixture, wish)
  balance = order
  await ledger.deposit(fixture, order)
  clock = fixture.chain.time
  time = clock + SKEW_SECONDS
  const payment = await wishFor(time + MAX_DEPOSIT_SECONDS)
  first = await makeSettlement(ledger, balance, 0, { time, payment })
  await ledger.settle(fixture, relayer, NATIVE_MINT, first)
  farthest = { note: changeNote(balance, 0, payment, time), owner }
})

test('I2: the Nullifier of the note that ends last exists for a day after the last possible settlement', async () => {
  const { chain } = fixture
  const { note } = farthest
  const most = SKEW_SECONDS + MAX_DEPOSIT_SECONDS + MAX_LIFE_SECONDS
  expect(note.expiry - clock).toBe(most)
  // Spends the note immediately, so that its Nullifier can be closed as early as possible.
  const payment = await wishFor(note.deadline)
  const second = await makeSettlement(ledger, farthest, 1, { time, payment })
  await ledger.settle(fixture, relayer, NATIVE_MINT, second)
  expect(chain.time).toBe(clock)
  const refundTime = note.expiry + REFUND_WINDOW_SECONDS
  const refund = await makeSettlement(ledger, { note }, 1, { isRefund: true, time: refundTime })
  const account = await nullifierAddress(chain.program, second.nullifier)
  const closing = closeNullifierInstruction(chain.program, [
    { account, rentPayer: relayer.address },
  ])
  const close = async () => (await chain.send([relayer], [closing])).refusal

  const lastLanding = refundTime + SKEW_SECONDS
  for (const now of [refundTime, lastLanding]) {
    chain.setTime(now)
    expect(await close()).toBe('TooEarlyToClose')
    expect(await submit(refund)).toBe('NullifierSpent')
  }
  const { closableAt } = decodeNullifier(chain.data(account) ?? new Uint8Array())
  expect(closableAt - lastLanding).toBe(CLOSE_DELAY_SECONDS)
  chain.setTime(closableAt)
  expect(await close()).toBeUndefined()
  expect(await submit(refund)).toBe('RefundTimeOutOfRange')
  expect(await submit(second)).toBe('SettlementTimePassed')
  expect(await submit(first)).toBe('SettlementTimePassed')
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ owed: VALUE - 2n * PART })
})

test('I2: a second payment at the same time can’t postpone the end any further', async () => {
  const { deadline } = farthest.note
  const inputsFor = async (at: bigint, changeDeadline: bigint) => {
    const payment = await wishFor(changeDeadline)
    return statementOf(ledger.tree, farthest, 1, { time: at, payment }).inputs
  }
  expect(await hasWitness(await inputsFor(time, deadline))).toBe(true)
  // The circuit doesn't allow a later deadline, and the program doesn't allow a later time.
  expect(await hasWitness(await inputsFor(time, deadline + 1n))).toBe(false)
  const later = time + 600n
  expect(await hasWitness(await inputsFor(later, deadline + 600n))).toBe(true)
  const payment = await wishFor(deadline + 600n)
  const ahead = await makeSettlement(ledger, farthest, 1, { time: later, payment })
  expect(await submit(ahead)).toBe('SettlementTimeTooFar')
  // With an earlier time, the deadline of the change would be too far after that time.
  expect(await hasWitness(await inputsFor(time - 600n, deadline))).toBe(false)
})

test('I2: the change that ends last can’t be refunded after its refund window', async () => {
  const { chain } = fixture
  const { note } = farthest
  const refundTime = note.expiry + REFUND_WINDOW_SECONDS
  const refund = await makeSettlement(ledger, { note }, 1, { isRefund: true, time: refundTime })
  chain.setTime(refundTime + SKEW_SECONDS + 1n)
  expect(await submit(refund)).toBe('RefundTimeOutOfRange')
  chain.setTime(refundTime + SKEW_SECONDS)
  const before = chain.balance(note.sender)
  expect(await submit(refund)).toBeUndefined()
  expect(chain.balance(note.sender) - before).toBe(VALUE - PART)
})
