import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ARTEFACTS } from '../manifest.ts'
import {
  REFUND_WINDOW_SECONDS,
  makeSettleInput,
  type Note,
  type Place,
  type SettleInput,
} from '../settle-input.ts'
import { NOTE, PLACE } from './sample-notes.ts'
import { calculateWitness } from './witness.ts'

const WASM = join(ARTEFACTS, 'settle.wasm')
// The witness generator also prints each broken assertion.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

const LAST_TIME = 2n ** 40n - 1n

const settles = (input: SettleInput) => expect(calculateWitness(input, WASM)).resolves.toBeTruthy()
const isRefused = (input: SettleInput) =>
  expect(calculateWitness(input, WASM)).rejects.toThrow('Assert Failed')

const deliver = (time: bigint, note: Note = NOTE, place: Place = PLACE) =>
  makeSettleInput(note, place, 'deliver', time)
const refund = (time: bigint, note: Note = NOTE, place: Place = PLACE) =>
  makeSettleInput(note, place, 'refund', time)

describe('a note is delivered until its expiry', () => {
  test('at time zero', () => settles(deliver(0n)))
  test('one second before', () => settles(deliver(NOTE.expiry - 1n)))
  test('at the expiry itself', () => settles(deliver(NOTE.expiry)))
  test('not one second later', () => isRefused(deliver(NOTE.expiry + 1n)))
  test('not in the refund window', () => isRefused(deliver(NOTE.expiry + REFUND_WINDOW_SECONDS)))
})

describe('a note is refunded in the window after its expiry', () => {
  test('one second after', () => settles(refund(NOTE.expiry + 1n)))
  test('at the last second', () => settles(refund(NOTE.expiry + REFUND_WINDOW_SECONDS)))
  test('not at the expiry itself', () => isRefused(refund(NOTE.expiry)))
  test('not before the expiry', () => isRefused(refund(NOTE.expiry - 1n)))
  test('not one second late', () => isRefused(refund(NOTE.expiry + REFUND_WINDOW_SECONDS + 1n)))
})

describe('times are integers below 2^40', () => {
  const lateNote = { ...NOTE, expiry: LAST_TIME }
  test('a delivery at the last one', () => settles(deliver(LAST_TIME, lateNote)))
  test('a delivery from zero to the last one', () => settles(deliver(0n, lateNote)))
  test('not a refund beyond', () => isRefused(refund(LAST_TIME + 1n, lateNote)))
  test('not a note that expires beyond', () =>
    isRefused(deliver(LAST_TIME, { ...NOTE, expiry: LAST_TIME + 1n })))
  test('a refund at time one', () => settles(refund(1n, { ...NOTE, expiry: 0n })))
})

describe('a note stands anywhere in the tree', () => {
  test('first leaf', () => settles(deliver(1n, NOTE, { ...PLACE, leafIndex: 0n })))
  test('last leaf', () => settles(deliver(1n, NOTE, { ...PLACE, leafIndex: 2n ** 26n - 1n })))
  test('not beyond it', () => isRefused(deliver(1n, NOTE, { ...PLACE, leafIndex: 2n ** 26n })))
})

describe('values at their bounds settle', () => {
  test('largest amount and fee', () =>
    settles(refund(NOTE.expiry + 1n, { ...NOTE, amount: 2n ** 64n - 1n, fee: 2n ** 64n - 1n })))
  test('no fee', () => settles(refund(NOTE.expiry + 1n, { ...NOTE, fee: 0n })))
  const highest = { hi: 2n ** 128n - 1n, lo: 2n ** 128n - 1n }
  test('highest addresses', () =>
    settles(deliver(1n, { ...NOTE, recipient: highest, sender: highest })))
})

describe('a changed part of the statement is refused', () => {
  const delivery = deliver(NOTE.expiry)
  const repayment = refund(NOTE.expiry + 1n)
  const others = { ...delivery, path: undefined, time: undefined, refund: undefined }
  const changed = Object.keys(others).filter(
    (name) => others[name as keyof typeof others] !== undefined,
  )
  test.each(changed)('%s of a delivery', (name) =>
    isRefused({ ...delivery, [name]: (delivery[name as keyof SettleInput] as bigint) + 1n }),
  )
  test.each(changed)('%s of a refund', (name) =>
    isRefused({ ...repayment, [name]: (repayment[name as keyof SettleInput] as bigint) + 1n }),
  )
  test.each(PLACE.path.map((_, level) => level))('sibling on level %i', (level) =>
    isRefused({
      ...delivery,
      path: delivery.path.map((sibling, at) => (at === level ? sibling + 1n : sibling)),
    }),
  )
  test('a delivery to the sender', () =>
    isRefused({ ...delivery, payeeHi: NOTE.sender.hi, payeeLo: NOTE.sender.lo }))
  test('a refund to the recipient', () =>
    isRefused({ ...repayment, payeeHi: NOTE.recipient.hi, payeeLo: NOTE.recipient.lo }))
  test('a payee half from each', () => isRefused({ ...delivery, payeeLo: NOTE.sender.lo }))
  test('a delivery that shows the fee', () => isRefused({ ...delivery, feeBack: NOTE.fee }))
  test('a refund without the fee', () => isRefused({ ...repayment, feeBack: 0n }))
  test('a delivery called a refund', () => isRefused({ ...delivery, refund: 1n }))
  test('a refund called a delivery', () => isRefused({ ...repayment, refund: 0n }))
})
