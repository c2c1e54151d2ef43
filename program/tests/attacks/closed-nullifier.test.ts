import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  closeNullifierInstruction,
  decodeNullifier,
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  REFUND_WINDOW_SECONDS,
  SKEW_SECONDS,
  CHECKPOINTS,
} from '@sotto/protocol'
import { START } from '../fixtures/pool.ts'
import { takeSnapshot } from '../random/snapshot.ts'
import type { PreparedSettlement, Snapshot } from '../random/snapshot-shape.ts'
import { relay, settlementOf } from './prepared-pool.ts'

/** The index of a note with the longest possible life. The snapshot also has a proof of the last possible refund. */
const NOTE = 13
let snapshot: Snapshot
let delivery: PreparedSettlement
let refund: PreparedSettlement
let lastRefund: PreparedSettlement

beforeAll(async () => {
  snapshot = await takeSnapshot()
  delivery = settlementOf(snapshot, NOTE, false)
  const { expiry } = delivery
  refund = settlementOf(snapshot, NOTE, true, expiry + 600n)
  lastRefund = settlementOf(snapshot, NOTE, true, expiry + REFUND_WINDOW_SECONDS)
})
beforeEach(() => {
  snapshot.world.reset()
})

function nullifierOnChain() {
  const data = snapshot.world.fixture.chain.data(delivery.nullifierAccount)
  return data === undefined ? undefined : decodeNullifier(data)
}

const closing = () =>
  closeNullifierInstruction(snapshot.world.fixture.chain.program, [
    { account: delivery.nullifierAccount, rentPayer: snapshot.world.actors.relayer.address },
  ])
const at = (clock: bigint, ...settlements: PreparedSettlement[]) =>
  relay(
    snapshot,
    clock,
    settlements.map(({ instruction }) => instruction),
  )

test('a delivered note cannot be refunded after its Nullifier is closed', async () => {
  // Delivers as early as possible, so that the nullifier can be closed as early as possible.
  expect(await at(START, delivery)).toBeUndefined()
  const last = lastRefund.settlement.time + SKEW_SECONDS
  expect(await relay(snapshot, last, [closing()])).toBe('TooEarlyToClose')
  expect(await at(last, lastRefund)).toBe('NullifierSpent')
  const { closableAt } = nullifierOnChain() ?? { closableAt: 0n }
  expect(closableAt - last).toBeGreaterThanOrEqual(86_400n)
  expect(await relay(snapshot, closableAt, [closing(), lastRefund.instruction])).toBe(
    'RefundTimeOutOfRange',
  )
  expect(await relay(snapshot, closableAt, [closing()])).toBeUndefined()
  expect(nullifierOnChain()).toBeUndefined()
  expect(await at(closableAt, lastRefund)).toBe('RefundTimeOutOfRange')
  expect(await at(closableAt, refund)).toBe('RefundTimeOutOfRange')
  expect(await at(closableAt, delivery)).toBe('SettlementTimePassed')
})

test('a refunded note cannot be delivered after its Nullifier is closed', async () => {
  expect(await at(refund.settlement.time, refund)).toBeUndefined()
  const { closableAt } = nullifierOnChain() ?? { closableAt: 0n }
  expect(await relay(snapshot, closableAt - 1n, [closing()])).toBe('TooEarlyToClose')
  expect(await relay(snapshot, closableAt, [closing()])).toBeUndefined()
  expect(await at(closableAt, delivery)).toBe('SettlementTimePassed')
  expect(await at(closableAt, lastRefund)).toBe('RefundTimeOutOfRange')
})

test('the program gives a nullifier the lifetime that the security argument assumes', async () => {
  expect(await at(START + 77n, delivery)).toBeUndefined()
  expect(nullifierOnChain()?.closableAt).toBe(START + 77n + NULLIFIER_SECONDS)
})

const NULLIFIER_SECONDS =
  SKEW_SECONDS +
  MAX_DEPOSIT_SECONDS +
  MAX_LIFE_SECONDS +
  REFUND_WINDOW_SECONDS +
  SKEW_SECONDS +
  86_400n
const upTo = (most: bigint) =>
  fc.oneof(fc.bigInt({ min: 0n, max: most }), fc.constantFrom(0n, 1n, most - 1n, most))

/**
 * Draws a note that a deposit or a payment created. Also draws two times of the chain's clock at which a settlement of
 * the note can land.
 */
const lives = fc
  .record({
    made: fc.bigInt({ min: 0n, max: 2n ** 40n }),
    // A payment's time may be later than the chain's clock. The deadline of its change may be later than the payment's
    // time.
    toDeadline: upTo(SKEW_SECONDS + MAX_DEPOSIT_SECONDS),
    toExpiry: upTo(MAX_LIFE_SECONDS),
    kinds: fc.tuple(fc.boolean(), fc.boolean()),
    // Draws any time at which a delivery or a refund can land.
    places: fc.tuple(upTo(2n ** 32n), upTo(2n ** 32n)),
  })
  .map(({ made, toDeadline, toExpiry, kinds, places }) => {
    const expiry = made + toDeadline + toExpiry
    const clocks = kinds.map((isRefund, index) => {
      const [first, last] = isRefund
        ? [expiry + 1n, expiry + REFUND_WINDOW_SECONDS + SKEW_SECONDS]
        : [made, expiry]
      return first + ((places[index] ?? 0n) % (last - first + 1n))
    })
    return { made, clocks }
  })

test('I2: a Nullifier exists until its note can no longer be settled', () => {
  fc.assert(
    fc.property(lives, ({ clocks }) => {
      const [first = 0n, second = 0n] = clocks
      expect(second < first + NULLIFIER_SECONDS).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})

test('the Tree keeps the checkpoint of a note’s first hour until the note can no longer be settled', () => {
  fc.assert(
    fc.property(lives, ({ made, clocks }) => {
      // The time at which the checkpoint of the note's first hour is overwritten: 1,536 hours later.
      const writtenOverAt = (made / 3_600n + BigInt(CHECKPOINTS)) * 3_600n
      for (const clock of clocks) expect(clock < writtenOverAt).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})
