import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { sampleSightings } from './sample-sightings.ts'
import { TopUpValues } from './top-up-values.ts'

const COIN = 1_000_000_000n
const DAY = 86_400
const EFFORT = { runs: 2, warmUp: 30, sweeps: 100 }
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)
const inOrder = (left: { at: number }, right: { at: number }) => left.at - right.at

/**
 * Twelve pairs of a payment and a top-up that was fitted to it. `NEEDS` has the amounts of the payments, and `FITTED`
 * the values of the top-ups.
 */
const NEEDS = [7n, 14n, 23n, 28n, 36n, 45n, 57n, 68n, 90n, 130n, 180n, 230n].map(
  (tenths, place) => (tenths * COIN) / 10n + 1_234_567n * BigInt(place + 1),
)
const FITTED = [8n, 15n, 25n, 30n, 40n, 50n, 60n, 75n, 100n, 150n, 200n, 250n].map(
  (tenths) => (tenths * COIN) / 10n,
)

/**
 * Each payment is made more than three hours after its top-up. Returns the mean chance of each payment's own top-up, if
 * top-ups with these values were made within an hour, in an arbitrary order.
 */
function meanChance(values: readonly bigint[]): number {
  const days = numbers(3)
  const deposits = days.flatMap((day) =>
    values.map((value, place) => ({
      ...{ at: day * DAY + ((place * 5) % 12) * 300, value, sender: `owner ${place} ${day}` },
    })),
  )
  const payments = days.flatMap((day) =>
    NEEDS.map((need, place) => ({
      ...{ at: day * DAY + 15_000 + ((place * 7) % 12) * 900, gross: need + BigInt(day) },
      payee: `payee ${place} ${day}`,
    })),
  )
  const sightings = sampleSightings(deposits.sort(inOrder), payments.sort(inOrder), 4 * DAY)
  const links = inferLinks(sightings, new SeededRandom('fitted'), EFFORT)
  const chances = links.map(({ settlement, candidates }) => {
    const owner = sightings.settlements[settlement]!.payee.replace('payee', 'owner')
    const own = candidates.find(({ deposit }) => `${sightings.deposits[deposit]!.sender}` === owner)
    return own?.chance ?? 0
  })
  return chances.reduce((sum, chance) => sum + chance, 0) / chances.length
}

it('links payments with top-ups that were fitted to them', () => {
  const fitted = meanChance(FITTED)
  const free = meanChance(FITTED.map(() => 50n * COIN))
  expect(free).toBeLessThan(0.1)
  expect(fitted).toBeGreaterThan(0.4)
})

const two = [50n, 100n, 100n, 100n].map((coins, place) => ({
  ...{ at: place, value: coins * COIN, sender: `owner ${place}` },
}))
const valuesOf = (payments: readonly bigint[]) => {
  const settlements = payments.map((gross, place) => ({
    ...{ at: 5_000 + place * 900, gross, payee: `${place}` },
  }))
  return new TopUpValues(sampleSightings(two, settlements))
}

it('expects a top-up of the smallest suggested amount that covers the payment, and of no other amount', () => {
  const values = valuesOf([])
  const at = (deposit: number, coins: number) => values.logAt(deposit, coins * 1e9, 1)
  // All habits round 45 coins up to 50, and none rounds them up to 100.
  expect(at(0, 45)).toBeGreaterThan(0.5)
  expect(at(1, 45)).toBeLessThan(0)
  // Ninety-five coins are rounded up to 100.
  expect(at(1, 95)).toBeGreaterThan(0)
  // A top-up that was fitted to a single payment is larger than this payment, because it also covers the fees.
  expect(at(0, 50)).toBeLessThan(0)
})

it('learns that top-ups were not fitted to their first payments', () => {
  const values = valuesOf(numbers(4).map(() => 3n * COIN))
  const before = values.logAt(0, 45e9, 1)
  const topUp = (deposit: number) => ({ deposit, weight: 1, members: [deposit] })
  values.learn(two.map((_, deposit) => topUp(deposit)))
  const after = values.logAt(0, 45e9, 1)
  expect(after).toBeGreaterThan(0)
  expect(after).toBeLessThan(before / 1.5)
})

it('treats the exact sum of a list of round amounts as strong evidence', () => {
  const sum = 7n * 1_234_567_890n
  const sightings = sampleSightings(
    [...two, { at: 10, value: sum, sender: 'anna' }].sort(inOrder),
    numbers(7).map((place) => ({
      ...{ at: 20_000 + place * 5, gross: 1_234_567_890n, fee: 234_567_890n, payee: `${place}` },
    })),
  )
  const links = inferLinks(sightings, new SeededRandom('exact'), { ...EFFORT, warmUp: 150 })
  for (const { candidates } of links) {
    expect(sightings.deposits[candidates[0]!.deposit]!.sender).toBe('anna')
    expect(candidates[0]!.chance).toBeGreaterThan(0.95)
  }
})
