import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../compile.ts'
import { ARTEFACTS, CIRCUIT } from '../manifest.ts'
import {
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  REFUND_WINDOW_SECONDS,
  TREE_LEVELS,
  hashNote,
  type Note,
  type SettleInput,
} from '../settle-input.ts'
import { FIELD } from '../r1cs.ts'
import { BALANCE, PAYMENT, PLACE, TRANSFER, deliver, pay, refund } from './sample-notes.ts'
import { runGenerator } from './witness.ts'

const WASM = join(ARTEFACTS, 'settle.wasm')
const { expiry, sender } = TRANSFER
const { recipient, amountOut } = TRANSFER.claim
const LAST_TIME = 2n ** 40n - 1n
const MOST = 2n ** 64n - 1n

const settles = (input: SettleInput) => expect(runGenerator(input, WASM)).resolves.toBeTruthy()
/** Code 4 means a broken assertion. A misspelt input name would give another code. */
const isRefused = (input: SettleInput) =>
  expect(runGenerator(input, WASM)).rejects.toThrow('code 4')

describe('a transfer', () => {
  test('is delivered at time zero', () => settles(deliver(0n)))
  test('is delivered one second before its expiry', () => settles(deliver(expiry - 1n)))
  test('is delivered at its expiry', () => settles(deliver(expiry)))
  test('is not delivered one second after its expiry', () => isRefused(deliver(expiry + 1n)))
  test('is not delivered at the end of the refund window', () =>
    isRefused(deliver(expiry + REFUND_WINDOW_SECONDS)))
})

describe.each<[string, Note]>([
  ['transfer', TRANSFER],
  ['balance', BALANCE],
])('the refund of a %s', (_, note) => {
  test('is allowed one second after the expiry', () => settles(refund(expiry + 1n, note)))
  test('is allowed at the last second of the window', () =>
    settles(refund(expiry + REFUND_WINDOW_SECONDS, note)))
  test('is refused at the expiry itself', () => isRefused(refund(expiry, note)))
  test('is refused before the expiry', () => isRefused(refund(expiry - 1n, note)))
  test('is refused one second after the window', () =>
    isRefused(refund(expiry + REFUND_WINDOW_SECONDS + 1n, note)))
})

describe('a payment from a balance', () => {
  const { deadline } = BALANCE
  test('is allowed at the last time that the owner signed', () =>
    settles(pay({ time: deadline, validUntil: deadline })))
  test('is refused one second after the last time that the owner signed', () =>
    isRefused(pay({ time: deadline + 1n, validUntil: deadline })))
  test('is allowed at the expiry of the balance', () =>
    settles(pay({ time: expiry, validUntil: expiry })))
  test('is refused one second after the expiry of the balance', () =>
    isRefused(pay({ time: expiry + 1n, validUntil: expiry + 1n })))
})

describe('the change of a payment', () => {
  const { deadline } = BALANCE
  const { time } = PAYMENT
  const rest = (changeDeadline: bigint): Note => ({
    ...BALANCE,
    ...{ value: pay().change, nk: PAYMENT.changeNk },
    ...{ deadline: changeDeadline, expiry: expiry + changeDeadline - deadline },
  })
  test('can have later times than the note, both by the same number of seconds', async () => {
    const later = pay({ changeDeadline: deadline + 1_234n })
    expect(later.changeLeaf).toBe(hashNote(rest(deadline + 1_234n)))
    await settles(later)
  })
  test('can have the note’s times', () => settles(pay({ changeDeadline: deadline })))
  test('can’t have an earlier deadline than the note', () =>
    isRefused(pay({ changeDeadline: deadline - 1n })))
  test('has a deadline at most an hour past the payment’s time', async () => {
    await settles(pay({ changeDeadline: time + MAX_DEPOSIT_SECONDS }))
    await isRefused(pay({ changeDeadline: time + MAX_DEPOSIT_SECONDS + 1n }))
  })
  test('can’t keep a deadline more than an hour past the payment’s time', async () => {
    await settles(pay({ time: deadline - MAX_DEPOSIT_SECONDS }))
    await isRefused(pay({ time: deadline - MAX_DEPOSIT_SECONDS - 1n }))
  })
  test('can pay and be refunded after the first note’s expiry', async () => {
    const first = rest(time)
    const next = { payout: 1n, fee: 0n, time: first.expiry, validUntil: first.expiry }
    expect(first.expiry).toBeGreaterThan(expiry)
    await settles(pay({ ...next, changeDeadline: first.expiry }, first))
    await isRefused(refund(expiry + 1n, first))
    await settles(refund(first.expiry + 1n, first))
  })
})

describe('the range of times', () => {
  const late = { ...TRANSFER, deadline: LAST_TIME, expiry: LAST_TIME }
  test('allows a delivery at 2^40 - 1', () => settles(deliver(LAST_TIME, late)))
  test('allows a delivery at time zero', () => settles(deliver(0n, late)))
  test('allows a refund at time one', () =>
    settles(refund(1n, { ...TRANSFER, deadline: 0n, expiry: 0n })))
  test('refuses a refund at 2^40', () => isRefused(refund(LAST_TIME + 1n, late)))
  test('refuses an expiry of 2^40', () =>
    isRefused(deliver(LAST_TIME, { ...late, expiry: LAST_TIME + 1n })))
  test('refuses a deadline of 2^40', () =>
    isRefused(deliver(LAST_TIME, { ...late, deadline: LAST_TIME + 1n })))
  test('refuses a payment whose last time is 2^40', () =>
    isRefused(pay({ validUntil: LAST_TIME + 1n })))
  test('refuses a change whose deadline is 2^40', () =>
    isRefused(
      pay(
        { time: LAST_TIME - 600n, validUntil: LAST_TIME, changeDeadline: LAST_TIME + 1n },
        { ...BALANCE, deadline: LAST_TIME, expiry: LAST_TIME - 600n },
      ),
    ))
})

describe('a note’s life after its deadline', () => {
  const living = (life: bigint): Note => ({ ...TRANSFER, expiry: TRANSFER.deadline + life })
  test('can be 30 days and an hour', () => settles(deliver(1n, living(MAX_LIFE_SECONDS))))
  test('can be shorter, zero or negative', async () => {
    await settles(deliver(1n, living(0n)))
    await settles(deliver(1n, living(-600n)))
  })
  test('cannot be one second longer', () => isRefused(deliver(1n, living(MAX_LIFE_SECONDS + 1n))))
  test('cannot be one second longer for a refund', () => {
    const note = living(MAX_LIFE_SECONDS + 1n)
    return isRefused(refund(note.expiry + 1n, note))
  })
})

describe('a note settles from', () => {
  const at = (leafIndex: bigint) => deliver(1n, TRANSFER, { ...PLACE, leafIndex })
  test('the first leaf', () => settles(at(0n)))
  test('each of the four places below a node', async () => {
    for (const place of [1n, 2n, 3n]) await settles(at(place))
  })
  test('the last leaf', () => settles(at(2n ** 26n - 1n)))
  test('no index after the last leaf', () => isRefused(at(2n ** 26n)))
})

/** Converts negative numbers to elements of the field, because the hashes accept only elements. */
function wrapped(input: SettleInput): SettleInput {
  const entries = Object.entries(input).map(([name, value]: [string, bigint | bigint[]]) => [
    name,
    typeof value === 'bigint' && value < 0n ? value + FIELD : value,
  ])
  return Object.fromEntries(entries) as SettleInput
}

describe('the value of a note', () => {
  const beyond = { ...BALANCE, value: MOST + 1n }
  const { fee } = PAYMENT

  test('is preserved with the largest amounts', async () => {
    await settles(pay({ payout: MOST, fee: MOST }, { ...BALANCE, value: 3n * MOST }))
    await settles(refund(expiry + 1n, { ...TRANSFER, value: MOST }))
  })
  test('is preserved if the change is zero or the whole value', async () => {
    await settles(pay({ payout: BALANCE.value - fee }))
    await settles(pay({ payout: 0n, fee: 0n }))
  })
  test('is preserved by a transfer without a fee', () =>
    settles(deliver(1n, { ...TRANSFER, value: amountOut })))
  test('cannot be exceeded by a payout of 2^64', () =>
    isRefused(pay({ payout: MOST + 1n, fee: 0n }, beyond)))
  test('cannot be exceeded by a fee of 2^64', () =>
    isRefused(pay({ payout: 0n, fee: MOST + 1n }, beyond)))
  test('cannot be exceeded by a change of 2^64', () =>
    isRefused(pay({ payout: 0n, fee: 0n }, beyond)))
  test('cannot be exceeded by a change that wraps around the field', () =>
    isRefused(wrapped(pay({ payout: BALANCE.value + 1n, fee: 0n }))))
  test('cannot be exceeded by a fee that wraps around the field', () =>
    isRefused(wrapped(pay({ payout: BALANCE.value + 1n, fee: -1n }))))
  test('cannot be exceeded by the amount of a transfer', () =>
    isRefused(wrapped(deliver(1n, { ...TRANSFER, value: amountOut - 1n }))))
})

/** The inputs for a payment that keeps `change` of a note, with a new key. */
const kept = (note: Note, change: bigint) => {
  const changeLeaf = hashNote({ ...note, value: change, nk: 7n })
  return { change, changeNk: 7n, changeLeaf }
}

describe('a transfer pays', () => {
  const whole = deliver(1n)
  test('not less than the transfer’s amount', () =>
    isRefused({ ...whole, payout: whole.payout - 1n, fee: whole.fee + 1n }))
  test('not more than the transfer’s amount', () =>
    isRefused({ ...whole, payout: whole.payout + 1n, fee: whole.fee - 1n }))
  test('without leaving change', () =>
    isRefused({ ...whole, fee: whole.fee - 1_000n, ...kept(TRANSFER, 1_000n) }))
  test('the recipient and not the sender', () =>
    isRefused({ ...whole, payeeHi: sender.hi, payeeLo: sender.lo }))
  test('no address that mixes the halves of recipient and sender', () =>
    isRefused({ ...whole, payeeLo: sender.lo }))
})

describe('a refund pays', () => {
  const whole = refund(expiry + 1n, BALANCE)
  test('without postponing any time', () => {
    const times = { deadline: BALANCE.deadline + 600n, expiry: expiry + 600n }
    const left = { ...BALANCE, ...times, value: 0n, nk: whole.changeNk }
    const changeDeadline = times.deadline
    return isRefused({ ...whole, changeDeadline, changeLeaf: hashNote(left) })
  })
  test('not a part of the value', () =>
    isRefused({ ...whole, payout: whole.payout - 1_000n, ...kept(BALANCE, 1_000n) }))
  test('not the value minus a fee', () =>
    isRefused({ ...whole, payout: whole.payout - 1n, fee: 1n }))
  test('the sender and not the recipient', () =>
    isRefused({ ...refund(expiry + 1n), payeeHi: recipient.hi, payeeLo: recipient.lo }))
  test('only if it is marked as a refund', () => isRefused({ ...whole, refund: 0n }))
})

describe('a changed input is refused', () => {
  // These inputs may have several values. Times may vary within their bounds. Inputs for the signature may vary if no
  // signature is required.
  const unsigned = ['time', 'validUntil', 'S']
  const kinds: [string, SettleInput, string[]][] = [
    ['delivery', deliver(expiry - 1n), unsigned],
    ['refund', refund(expiry + 1n), unsigned],
    ['refund of a balance', refund(expiry + 1n, BALANCE), unsigned],
    ['payment', pay(), ['time']],
  ]
  const numbers = kinds.flatMap(([kind, input, free]) =>
    Object.entries(input)
      .filter(([name, value]) => typeof value === 'bigint' && !free.includes(name))
      .map(([name, value]) => [name, kind, { ...input, [name]: (value as bigint) + 1n }] as const),
  )
  test.each(numbers)('%s of a %s', (_, __, input) => isRefused(input))

  const claims = kinds.flatMap(([kind, input]) =>
    [0, 1, 2].map((at) => {
      const claim = input.claim.with(at, input.claim[at]! + 1n)
      return [at, kind, { ...input, claim }] as const
    }),
  )
  test.each(claims)('number %i in the claim of a %s', (_, __, input) => isRefused(input))

  const [, delivery] = kinds[0]!
  test.each(delivery.path.map((_, at) => at))('sibling %i', (at) =>
    isRefused({ ...delivery, path: delivery.path.with(at, delivery.path[at]! + 1n) }),
  )

  test.each(kinds)('except inputs of a %s that may vary', async (_, input, free) => {
    for (const name of free) await settles({ ...input, [name]: input[name as 'time'] + 1n })
  })
})

test('the circuit, the program and these tests have the same levels and times', async () => {
  const main = /= Settle\((\d+), (\d+), (\d+), (\d+)\)/.exec(await readFile(CIRCUIT, 'utf8'))
  const constants = await readFile(join(ROOT, 'program/src/constants.rs'), 'utf8')
  const names = ['TREE_LEVELS', 'MAX_LIFE_SECONDS', 'REFUND_WINDOW_SECONDS', 'MAX_DEPOSIT_SECONDS']
  const inProgram = names.map((name) =>
    new RegExp(`${name}: \\w+ = ([\\d_]+);`).exec(constants)?.[1]?.replaceAll('_', ''),
  )
  expect(main?.slice(1)).toEqual(inProgram)
  const inTests = [TREE_LEVELS, MAX_LIFE_SECONDS, REFUND_WINDOW_SECONDS, MAX_DEPOSIT_SECONDS]
  expect(inProgram).toEqual(inTests.map(String))
})
