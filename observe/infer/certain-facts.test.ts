import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Sightings } from '../chain/sightings.ts'
import { inferLinks } from './infer-links.ts'
import { linkProblem } from './link-problem.ts'
import { readReturnedRests } from './returned-rests.ts'
import { sampleSightings } from './sample-sightings.ts'

const EFFORT = { runs: 2, warmUp: 30, sweeps: 200 }
const ROUND = 1_000_000_000n
const DAY = 86_400

const chances = (sightings: Sightings, settlement: number) => {
  const links = inferLinks(sightings, new SeededRandom('facts'), EFFORT)
  const of = links.find((one) => one.settlement === settlement)
  return (deposit: number) => of?.candidates.find((one) => one.deposit === deposit)?.chance ?? 0
}

/** Gives each deposit the deadline of an order that the service accepts at the time of the deposit. */
const withDeadlines = (sightings: Sightings): Sightings => ({
  ...sightings,
  deposits: sightings.deposits.map((one) => ({
    ...one,
    deadline: Math.ceil((one.seconds + 1_790) / 600) * 600,
  })),
})

/** Anna makes two equal transfers. The first one is delivered, the second one is refunded after its expiry. */
const refunded = (firstAt: number, secondAt: number) => {
  const expired = Math.ceil((secondAt + 1_790) / 600) * 600 + 3_600
  return withDeadlines(
    sampleSightings(
      [firstAt, secondAt].map((at) => ({ at, value: ROUND, sender: 'anna' })),
      [
        { at: secondAt + 60, gross: ROUND, payee: 'x' },
        { at: expired + 620, gross: ROUND, payee: 'anna', isRefund: true },
      ],
    ),
  )
}

it('finds the deposit of a refunded transfer by the deadline that fits the time of the refund', () => {
  const sightings = refunded(0, 20_000)
  expect([...readReturnedRests(sightings).unspent]).toEqual([1])
  expect(chances(sightings, 0)(0)).toBeGreaterThan(0.99)
})

it('excludes no deposit if the refund fits the deadlines of two deposits', () => {
  const sightings = refunded(0, 9)
  expect([...readReturnedRests(sightings).unspent]).toEqual([])
  expect(chances(sightings, 0)(0)).toBeGreaterThan(0.2)
})

it('excludes all deposits of a wallet that has as many refunds as deposits', () => {
  const twice = sampleSightings(
    [0, 9].map((at) => ({ at, value: ROUND, sender: 'anna' })),
    [6_020, 6_030].map((at) => ({ at, gross: ROUND, payee: 'anna', isRefund: true })),
  )
  expect([...readReturnedRests(withDeadlines(twice)).unspent]).toEqual([0, 1])
})

it('links no payment to a balance whose rest had returned before', () => {
  // The rest returns after half a day, but a balance lives for a whole number of days. So the observer can’t compute
  // the time of the last payment.
  const rest = 10n * ROUND - 1_234_567_891n
  const sightings = sampleSightings(
    [
      { at: 0, value: 10n * ROUND, sender: 'anna' },
      { at: 1, value: 10n * ROUND, sender: 'bela' },
    ],
    [
      { at: 4_000, gross: 1_111_111_111n, payee: 'w' },
      { at: DAY / 2, gross: rest, payee: 'anna', isRefund: true },
      { at: DAY / 2 + 9_000, gross: 1_212_121_212n, payee: 'x' },
    ],
  )
  expect(chances(sightings, 2)(0)).toBe(0)
})

it('assigns a low chance to a payment out of a balance that was probably closed before', () => {
  const paid = [1_101_234_567n, 2_500_000_001n, 987_654_321n, 414_141_419n, 771_828_183n]
  const closing = 10n * ROUND - paid[0]! - paid[1]! - 3_333_331n
  const sightings = sampleSightings(
    [
      { at: 0, value: 10n * ROUND, sender: 'anna' },
      { at: 1, value: 10n * ROUND, sender: 'bela' },
    ],
    [
      ...paid.map((gross, place) => ({ at: 4_000 * (place + 1), gross, payee: `${place}` })),
      { at: 50_000, gross: closing, payee: 'anna' },
      { at: 60_000, gross: 333_333_333n, payee: 'later' },
    ],
  )
  expect(chances(sightings, 6)(0)).toBeLessThan(0.1)
})

const FEE = 5_000n

/**
 * Anna deposits exactly the payment’s amount just before the payment. At the same time, five others deposit larger
 * amounts.
 */
const afterEqualDeposit = (fee: bigint, relayer = 'relayer') =>
  sampleSightings(
    [
      { at: 0, value: 20n * ROUND, sender: 'gina' },
      ...['bela', 'cleo', 'dora', 'emil', 'fred'].map((sender, place) => ({
        ...{ at: 30_000 + place, value: 20n * ROUND, sender },
      })),
      { at: 30_006, value: 3n * ROUND, sender: 'anna' },
    ],
    [
      ...[0, 1, 2].map((place) => ({
        ...{ at: 8_000 + 4_000 * place, gross: ROUND, payee: `${place}`, fee: FEE },
      })),
      { at: 30_400, gross: 3n * ROUND, payee: 'x', fee, relayer },
    ],
  )
const [ANNA, DORA] = [6, 3]

it('links a payment without a fee to a balance, because a transfer always pays a fee', () => {
  const transfer = afterEqualDeposit(FEE)
  const recovered = afterEqualDeposit(0n)
  expect(linkProblem(transfer).canBeTransfer(ANNA, 3)).toBe(true)
  expect(linkProblem(recovered).canBeTransfer(ANNA, 3)).toBe(false)
  expect(chances(transfer, 3)(ANNA)).toBeGreaterThan(0.9)
  expect(chances(recovered, 3)(ANNA)).toBeLessThan(0.5)
})

it('links a settlement to the wallet that pays its transaction', () => {
  expect(chances(afterEqualDeposit(FEE), 3)(DORA)).toBeLessThan(0.2)
  expect(chances(afterEqualDeposit(FEE, 'dora'), 3)(DORA)).toBeGreaterThan(0.9)
})

it('assumes that a wallet that pays many transactions is a relayer', () => {
  const sightings = sampleSightings(
    [
      { at: 0, value: 90n * ROUND, sender: 'operator' },
      { at: 1, value: 90n * ROUND, sender: 'bela' },
    ],
    Array.from({ length: 25 }, (_, place) => ({
      ...{ at: 8_000 + 900 * place, gross: ROUND, payee: `${place}`, relayer: 'operator' },
    })),
  )
  expect(chances(sightings, 10)(0)).toBeLessThan(0.8)
})

it('assumes that a deposit whose rest returned is a top-up', () => {
  const sightings = sampleSightings(
    [{ at: 0, value: 10n * ROUND, sender: 'anna' }],
    [
      { at: 30, gross: ROUND, payee: 'x' },
      { at: 4_000, gross: ROUND, payee: 'y' },
      { at: DAY / 2, gross: 9n * ROUND, payee: 'anna', isRefund: true },
    ],
  )
  expect(linkProblem(sightings).canBeTransfer(0, 0)).toBe(false)
})
