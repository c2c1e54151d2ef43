import { beforeAll, expect, test } from 'vitest'
import {
  addressHalves,
  amount,
  leafOfNote,
  NATIVE_MINT,
  type SettleInputs,
  unixSeconds,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { draftOrder, type Order } from './fixtures/deposits.ts'
import { Ledger } from './fixtures/ledger.ts'
import { makeOwner } from './fixtures/owners.ts'
import { DOMAIN, START, startPool, type PoolFixture } from './fixtures/pool.ts'
import { haveWitnesses } from './fixtures/proofs.ts'
import { changeNote, statementOf, type PaymentWish } from './fixtures/settlements.ts'

const owner = makeOwner(7)
const thief = makeOwner(8)
const TIME = START + 600n

let fixture: PoolFixture
let ledger: Ledger
let order: Order
let payment: PaymentWish
let inputs: SettleInputs

beforeAll(async () => {
  fixture = await startPool()
  ledger = new Ledger()
  order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, owner })
  ledger.append(order)
  const payee = (await fixture.chain.wallet()).address
  payment = { payee, payout: 300_000_000n, fee: 1_000_000n, validUntil: TIME + 600n }
  inputs = inputsOf(payment, TIME)
})

const inputsOf = (wish: PaymentWish, time: bigint): SettleInputs =>
  statementOf(ledger.tree, order, 0, { time, payment: wish }).inputs

/** The leaf of the payment's change, but with another value or another `nk`. */
const leafOfChange = (change: bigint, nk = inputs.changeNk) =>
  leafOfNote(poseidon, DOMAIN, {
    ...changeNote(order, 0, payment, TIME),
    nk,
    value: amount(change),
  })

test('I3: a payment cannot be proved if a value differs from the signed value', async () => {
  const { hi, lo } = addressHalves(order.terms.sender)
  const { payout, fee, change, changeNk: nk } = inputs
  const altered: SettleInputs[] = [
    { ...inputs, payeeHi: hi, payeeLo: lo },
    {
      ...inputs,
      payout: amount(payout + 1n),
      change: amount(change - 1n),
      changeLeaf: leafOfChange(change - 1n),
    },
    { ...inputs, payout: amount(payout + 1n), fee: amount(fee - 1n) },
    {
      ...inputs,
      fee: amount(fee + 1n),
      change: amount(change - 1n),
      changeLeaf: leafOfChange(change - 1n),
    },
    { ...inputs, changeNk: nk + 1n, changeLeaf: leafOfChange(change, nk + 1n) },
    { ...inputs, validUntil: unixSeconds(inputs.validUntil + 600n) },
  ]
  expect(await haveWitnesses([inputs, ...altered])).toEqual([true, ...altered.map(() => false)])
})

test('I3: a payment cannot be proved if the times of its change differ from those that the owner signed', async () => {
  const { deadline } = order.note
  const later = unixSeconds(deadline + 600n)
  const leafWith = (changeDeadline: bigint) =>
    leafOfNote(poseidon, DOMAIN, changeNote(order, 0, { ...payment, changeDeadline }, TIME))
  const moved = inputsOf({ ...payment, changeDeadline: later }, TIME)
  const altered: SettleInputs[] = [
    // The owner signed unchanged times, and the service postpones them.
    { ...inputs, changeDeadline: later, changeLeaf: leafWith(later) },
    { ...inputs, changeDeadline: later },
    // The owner signed postponed times, and the service keeps the old times or postpones them differently.
    { ...moved, changeDeadline: deadline, changeLeaf: leafWith(deadline) },
    { ...moved, changeDeadline: deadline },
    { ...moved, changeDeadline: unixSeconds(later + 600n), changeLeaf: leafWith(later + 600n) },
  ]
  const expected = [true, true, ...altered.map(() => false)]
  expect(await haveWitnesses([inputs, moved, ...altered])).toEqual(expected)
})

test('I5: a payment cannot be proved for a time after validUntil or after the expiry', async () => {
  const { expiry } = order.note
  const late = inputsOf(payment, TIME + 1_200n)
  const expired = inputsOf({ ...payment, validUntil: expiry + 600n }, expiry + 600n)
  const inTime = inputsOf(payment, TIME + 600n)
  expect(await haveWitnesses([inTime, late, expired])).toEqual([true, false, false])
})

test('I3: a payment cannot be proved without the owner’s signature', async () => {
  const stolen = inputsOf({ ...payment, signer: thief }, TIME)
  const unsigned = { ...inputs, S: 0n, R8x: 0n, R8y: 1n }
  // A refund needs no signature, but it can't be proved before the expiry.
  const refund = statementOf(ledger.tree, order, 0, { isRefund: true, time: TIME }).inputs
  expect(await haveWitnesses([stolen, unsigned, refund])).toEqual([false, false, false])
})
