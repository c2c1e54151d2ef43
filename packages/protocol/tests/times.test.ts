import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  amount,
  changeOf,
  changeOfShown,
  deliveryTimeAt,
  leafOfNote,
  MAX_DEPOSIT_SECONDS,
  NATIVE_MINT,
  renewedDeadline,
  unixSeconds,
  type Note,
} from '../index.ts'
import { poseidon } from './poseidon-of-tests.ts'

const DAY = 86_400n
const EXPIRY = unixSeconds(6_000n)
const domain = new Uint8Array(32).fill(1)
const note: Note = {
  ...{ nk: 7n, sender: NATIVE_MINT, mint: NATIVE_MINT, value: amount(9n) },
  claim: { kind: 'balance', owner: { x: 1n, y: 2n } },
  ...{ deadline: unixSeconds(10n * DAY + 1_800n), expiry: unixSeconds(40n * DAY) },
}

it('moves the deadline to the beginning of the day in which the signature ends', () => {
  const { deadline } = note
  expect(renewedDeadline(deadline, 9n * DAY)).toBe(deadline)
  expect(renewedDeadline(deadline, 11n * DAY - 1n)).toBe(deadline)
  expect(renewedDeadline(deadline, 11n * DAY)).toBe(11n * DAY)
  expect(renewedDeadline(deadline, 12n * DAY - 1n)).toBe(11n * DAY)
})

it('finds the change note of every provable payment from the facts that the chain shows', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: note.deadline - MAX_DEPOSIT_SECONDS, max: 30n * DAY }),
      fc.bigInt({ min: 0n, max: 2n * DAY }),
      (seconds, more) => {
        const time = unixSeconds(seconds)
        const left = { nullifier: 3n, secret: 4n, change: amount(5n) }
        const validUntil = unixSeconds(time + more)
        const change = changeOf(poseidon, note, { ...left, validUntil })
        fc.pre(change.deadline <= time + MAX_DEPOSIT_SECONDS)
        expect(change.expiry - change.deadline).toBe(note.expiry - note.deadline)
        const shown = { time, changeLeaf: leafOfNote(poseidon, domain, change) }
        expect(changeOfShown(poseidon, domain, note, left, shown)).toEqual(change)
      },
    ),
    { numRuns: 40 },
  )
})

it('a delivery has at least 90 seconds to land before its public time', () => {
  expect(deliveryTimeAt(0n, EXPIRY)).toBe(600n)
  expect(deliveryTimeAt(510n, EXPIRY)).toBe(600n)
  expect(deliveryTimeAt(511n, EXPIRY)).toBe(1_200n)
})

it('the public time of a delivery is never after its expiry', () => {
  expect(deliveryTimeAt(5_999n, EXPIRY)).toBe(6_000n)
  expect(deliveryTimeAt(6_000n, EXPIRY)).toBe(6_000n)
  expect(deliveryTimeAt(6_001n, EXPIRY)).toBeUndefined()
})

it('the public time of a delivery is on the grid even if the expiry isn’t', () => {
  expect(deliveryTimeAt(5_900n, 6_599n)).toBe(6_000n)
  expect(deliveryTimeAt(6_000n, 6_599n)).toBe(6_000n)
  expect(deliveryTimeAt(6_001n, 6_599n)).toBeUndefined()
})
