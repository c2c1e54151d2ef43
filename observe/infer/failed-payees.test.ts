import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { findFailedPayees } from '../leaks/failed-payees.ts'
import { inferLinks } from './infer-links.ts'
import { sampleSightings, type SampleSettlement } from './sample-sightings.ts'

const COIN = 1_000_000_000n
const EFFORT = { runs: 2, warmUp: 20, sweeps: 200 }
/** Owners of balances. Each of these balances may have made the payment of 2 coins. */
const topUps = ['anna', 'bela', 'cleo'].map((sender, place) => ({
  ...{ at: 100 + place, value: 50n * COIN, sender },
}))
/** Transfers of odd amounts, whose payers are certain. In a real pool, most payments go to other payees. */
const others = Array.from({ length: 60 }, (_, place) => ({
  ...{ at: 200 + place * 100, value: COIN + 1_000_003n * BigInt(place + 1) },
  sender: `sender ${place}`,
}))
const delivered = others.map(({ at, value }, place) => ({
  ...{ at: at + 60, gross: value, payee: `other ${place}` },
}))
const inOrder = (left: { at: number }, right: { at: number }) => left.at - right.at

interface Failure {
  readonly at: number
  /** The payee of the failed settlement. */
  readonly payee: string
  /** The payee of the settlement that later spent the note. */
  readonly instead: string
}

/** `first` is the settlement of a transfer that Anna makes. Later, someone pays 2 coins to `last`. */
function history(first: SampleSettlement, last: string, failure?: Failure) {
  const settlements = [first, ...delivered, { at: 30_000, gross: 2n * COIN, payee: last }].sort(
    inOrder,
  )
  const failed =
    failure === undefined
      ? []
      : [
          {
            ...{ at: failure.at, payee: failure.payee },
            settlement: settlements.findIndex(({ payee }) => payee === failure.instead),
          },
        ]
  const deposits = [{ at: 0, value: first.gross, sender: 'anna' }, ...topUps, ...others]
  return sampleSightings(deposits.sort(inOrder), settlements, 100_000, failed)
}

/** The chance that Anna made the payment of 2 coins. */
function chanceOfAnna(sightings: ReturnType<typeof history>): number {
  const links = inferLinks(sightings, new SeededRandom('failed'), EFFORT)
  const paid = sightings.settlements.find(({ payout }) => payout === 2n * COIN)!
  const { candidates } = links.find(({ settlement }) => settlement === paid.index)!
  return candidates
    .filter(({ deposit }) => `${sightings.deposits[deposit]!.sender}` === 'anna')
    .reduce((sum, { chance }) => sum + chance, 0)
}

const refund = { at: 5_000, gross: COIN + 77n, payee: 'anna', isRefund: true }
const toShop = { at: 60, gross: COIN + 77n, payee: 'shop' }

/**
 * A deposit of Anna's returns. If `hasFailed` is true, a payment out of it to the shop failed before. Later, someone
 * pays the shop.
 */
const refunded = (hasFailed: boolean) =>
  history(refund, 'shop', hasFailed ? { at: 900, payee: 'shop', instead: 'anna' } : undefined)

/**
 * Anna pays the shop. Later, someone pays x out of another note. If `hasFailed` is true, a payment out of this note to
 * the shop failed before.
 */
const changed = (hasFailed: boolean) =>
  history(toShop, 'x', hasFailed ? { at: 29_000, payee: 'shop', instead: 'x' } : undefined)

it('links a payee with the wallet whose payment to this payee failed and was refunded', () => {
  expect(chanceOfAnna(refunded(false))).toBeLessThan(0.4)
  expect(chanceOfAnna(refunded(true))).toBeGreaterThan(0.6)
})

it('links a payment with the wallet that pays the payee of a failed settlement of the same note', () => {
  expect(chanceOfAnna(changed(false))).toBeLessThan(0.4)
  expect(chanceOfAnna(changed(true))).toBeGreaterThan(0.6)
})

it('reports other payees of a note as a leak, but not a failed settlement to the same payee', () => {
  expect(findFailedPayees(refunded(false))).toEqual([])
  expect(findFailedPayees(refunded(true))).toMatchObject([
    { leak: 'failed-payee', seen: expect.stringContaining('of 1 notes; 1 of these') as string },
  ])
  expect(findFailedPayees(changed(true))).toMatchObject([
    { seen: expect.stringContaining('of 1 notes; 0 of these') as string },
  ])
  const { seconds, asset, payee, nullifier, relayer } = changed(false).settlements[0]!
  const repeated = { seconds: seconds - 9, asset, payee, nullifier, relayer, isRefund: false }
  expect(findFailedPayees({ ...changed(false), failed: [repeated] })).toEqual([])
})
