import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ARTEFACTS } from '../manifest.ts'
import {
  claimNumbers,
  hashClaim,
  hashNote,
  hashNullifier,
  type Note,
  type Point,
  type SettleInput,
  type Signature,
} from '../settle-input.ts'
import { ORDER_2, ORDER_4, ORDER_8, SUBGROUP_ORDER } from './baby-jubjub.ts'
import { FIELD } from '../r1cs.ts'
import { BALANCE, PAYMENT, PLACE, TRANSFER, deliver, pay, refund, signAs } from './sample-notes.ts'
import { signedAfter } from './violations.ts'
import { runGenerator } from './witness.ts'

const WASM = join(ARTEFACTS, 'settle.wasm')
const settles = (input: SettleInput) => expect(runGenerator(input, WASM)).resolves.toBeTruthy()
const isRefused = (input: SettleInput) =>
  expect(runGenerator(input, WASM)).rejects.toThrow('code 4')

const payment = pay()
const NO_SIGNATURE: Signature = { S: 0n, R8: [0n, 1n] }

describe('a balance', () => {
  test('pays if its owner signed this payment', () => settles(payment))
  test('does not pay without a signature', () => isRefused(pay({ sign: () => NO_SIGNATURE })))
  test('does not pay with the signature of another key', () =>
    isRefused(pay({ sign: signAs('somebody else’s key') })))
  test('does not pay with the owner’s signature of another message', () =>
    isRefused(pay({ sign: (message) => signAs()(message + 1n) })))
  test('does not pay if S of the signature is not below the subgroup order', async () => {
    // Every other element of the field that equals S modulo the subgroup's order.
    for (let more = SUBGROUP_ORDER; payment.S + more < FIELD; more += SUBGROUP_ORDER) {
      await isRefused({ ...payment, S: payment.S + more })
    }
  })
})

test('neither a balance nor a transfer settles if R8 of the signature is not on the curve', async () => {
  await isRefused(pay({ sign: (message) => ({ ...signAs()(message), R8: [5n, 7n] }) }))
  await isRefused({ ...deliver(1n), R8x: 5n, R8y: 7n })
  await isRefused({ ...refund(BALANCE.expiry + 1n, BALANCE), R8x: 5n, R8y: 7n })
})

describe('the signature binds', () => {
  const { S, R8x, R8y, ...signed } = payment
  const isBound = (changes: Partial<SettleInput>) =>
    isRefused({ ...signed, ...changes, S, R8x, R8y })
  const both = async (changes: Partial<SettleInput>) => {
    await settles(signedAfter(changes))
    await isBound(changes)
  }
  const leafOf = (value: bigint, nk = signed.changeNk) => hashNote({ ...BALANCE, value, nk })

  test('both halves of the payee', async () => {
    await both({ payeeHi: signed.payeeHi + 1n })
    await both({ payeeLo: signed.payeeLo + 1n })
  })
  test('payout and fee', () => both({ payout: signed.payout - 1n, fee: signed.fee + 1n }))
  test('payout and change', () =>
    both({
      payout: signed.payout + 1n,
      change: signed.change - 1n,
      changeLeaf: leafOf(signed.change - 1n),
    }))
  test('fee and change', () =>
    both({
      fee: signed.fee + 1n,
      change: signed.change - 1n,
      changeLeaf: leafOf(signed.change - 1n),
    }))
  test('the key of the change', () => both({ changeNk: 7n, changeLeaf: leafOf(signed.change, 7n) }))
  test('the times of the change', () => {
    const later = { deadline: BALANCE.deadline + 600n, expiry: BALANCE.expiry + 600n }
    const left = { ...BALANCE, ...later, value: signed.change, nk: signed.changeNk }
    return both({ changeDeadline: later.deadline, changeLeaf: hashNote(left) })
  })
  test('the last time of the payment', async () => {
    await both({ validUntil: signed.validUntil + 1n })
    await isBound({ validUntil: signed.validUntil + 600n, time: signed.validUntil + 60n })
  })
  test('the note', async () => {
    const elsewhere = pay({}, BALANCE, { ...PLACE, leafIndex: PLACE.leafIndex ^ 1n })
    await settles(elsewhere)
    await isRefused({ ...elsewhere, S, R8x, R8y })
  })
  test('the asset and the pool, in the asset hash', async () => {
    const elsewhere = pay({}, { ...BALANCE, assetHash: 7n })
    await settles(elsewhere)
    await isRefused({ ...elsewhere, S, R8x, R8y })
  })
})

describe('a balance whose owner can’t sign', () => {
  const owners: [string, Point][] = [
    ['is off the curve', [5n, 7n]],
    ['is zero', [0n, 0n]],
    ['is the identity', [0n, 1n]],
    ['has order 2', ORDER_2],
    ['has order 4', ORDER_4],
    ['has order 8', ORDER_8],
  ]
  const owned = (owner: Point): Note => ({ ...BALANCE, claim: { kind: 'balance', owner } })

  test.each(owners)('can’t pay if the owner’s key %s', (_, owner) =>
    isRefused(pay({ sign: () => NO_SIGNATURE }, owned(owner))),
  )
  test.each(owners)('can be refunded if the owner’s key %s', (_, owner) =>
    settles(refund(BALANCE.expiry + 1n, owned(owner))),
  )
})

describe('a note has only one kind', () => {
  const { S, R8x, R8y } = payment
  test('a transfer does not pay the payee that a signature names', async () => {
    // These inputs treat the leaf of a transfer as a balance. They contain the transfer's claim and kind 1, the
    // transfer's claim and kind 0, or the balance's claim. The leaf contains kind and claim, so none of the inputs
    // proves it.
    const stolen = signedAfter({ claim: claimNumbers(TRANSFER.claim), root: deliver(1n).root })
    await isRefused(stolen)
    await isRefused({ ...stolen, isBalance: 0n })
    await isRefused({ ...signedAfter({ root: deliver(1n).root }) })
  })
  test('a recipient whose halves are a point on the curve is not an owner', async () => {
    const [hi, lo] = BALANCE.claim.owner
    const note: Note = {
      ...TRANSFER,
      claim: { kind: 'transfer', recipient: { hi, lo }, amountOut: 0n },
    }
    expect(hashClaim(note.claim)).not.toBe(hashClaim(BALANCE.claim))
    await isRefused(signedAfter({ root: deliver(1n, note).root }))
    await isRefused({ ...signedAfter({ root: deliver(1n, note).root }), isBalance: 0n })
  })
  test('a balance can’t be delivered like a transfer', async () => {
    const [hi, lo] = BALANCE.claim.owner
    await isRefused({ ...pay({ payee: { hi, lo }, payout: 0n }), isBalance: 0n })
    const open = { ...deliver(1n), claim: claimNumbers(BALANCE.claim), root: payment.root }
    await isRefused(open)
  })
  test('a third kind is refused', async () => {
    for (const isBalance of [2n, FIELD - 1n]) await isRefused({ ...payment, isBalance })
  })
  test('the claim of a balance must not contain an amount', () =>
    isRefused({ ...payment, claim: [...BALANCE.claim.owner, 1n] }))
  test('a transfer can be delivered with the signature of another note', () =>
    settles({ ...deliver(1n), S, R8x, R8y }))
})

describe('the change', () => {
  const nullifier = hashNullifier(BALANCE, PLACE.leafIndex)
  const other = { ...TRANSFER.claim, amountOut: 1n }
  const changes: [string, Partial<Note>][] = [
    ['asset', { assetHash: 7n }],
    ['deadline', { deadline: BALANCE.deadline + 600n }],
    ['sender', { sender: { ...BALANCE.sender, lo: 7n } }],
    ['claim', { claim: other }],
    ['expiry', { expiry: BALANCE.expiry + 1n }],
    ['value', { value: payment.change + 1n }],
  ]
  test.each(changes)(
    'must have the right %s, even if the owner signs a wrong one',
    async (_, changed) => {
      const rest = { ...BALANCE, value: payment.change, nk: PAYMENT.changeNk }
      await settles(signedAfter({ changeLeaf: hashNote(rest) }))
      await isRefused(signedAfter({ changeLeaf: hashNote({ ...rest, ...changed }) }))
    },
  )
  test('can pay and be refunded like the note', async () => {
    const rest: Note = { ...BALANCE, value: payment.change, nk: PAYMENT.changeNk }
    const again = pay({ payout: rest.value - 1n, fee: 1n, changeNk: 8n }, rest)
    expect(again.nullifier).not.toBe(nullifier)
    await settles(again)
    await settles(refund(rest.expiry + 1n, rest))
  })
})
