import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { readReturnedRests } from './returned-rests.ts'
import { sampleSightings } from './sample-sightings.ts'

const COIN = 1_000_000_000n
const COUNT = 10
const EFFORT = { runs: 2, warmUp: 10, sweeps: 40 }

const oddOf = (place: number) => 300_000_007n + 41_234_567n * BigInt(place)
const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n)
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

interface Paid {
  readonly at: number
  readonly gross: bigint
  readonly payee: string
}

const listOf = (amountOf: (place: number) => bigint): Paid[] =>
  numbers(COUNT).map((place) => ({
    ...{ at: 20_000 + place * 5, gross: amountOf(place), payee: `payee ${place}` },
  }))

/** Four owners with equal top-ups, and `copies` owners whose top-ups have this value. The first of these is Anna. */
const history = (value: bigint, paid: readonly Paid[], copies = 1) =>
  sampleSightings(
    [
      ...numbers(4).map((place) => ({ at: place, value: 20n * COIN, sender: `owner ${place}` })),
      ...numbers(copies).map((place) => ({ at: 10 + place, value, sender: `anna ${place}` })),
    ],
    [...paid].sort((left, right) => left.at - right.at),
  )
const ANNA = 4

function chancesOfAnna(value: bigint, paid: readonly Paid[]): number[] {
  const links = inferLinks(history(value, paid), new SeededRandom('emptied'), EFFORT)
  return links.map(
    ({ candidates }) => candidates.find(({ deposit }) => deposit === ANNA)?.chance ?? 0,
  )
}

it('links a list of ten payments with the deposit of exactly their sum', () => {
  const list = listOf(oddOf)
  for (const chance of chancesOfAnna(sumOf(list.map(({ gross }) => gross)), list)) {
    expect(chance).toBeGreaterThan(0.999)
  }
})

it('links a list with no deposit if its sum differs by one base unit', () => {
  const list = listOf(oddOf)
  const sum = sumOf(list.map(({ gross }) => gross))
  for (const value of [sum - 1n, sum + 1n]) {
    for (const chance of chancesOfAnna(value, list)) expect(chance).toBeLessThan(0.6)
  }
})

it('links a list with its deposit even if someone else paid during the list', () => {
  const list = listOf(oddOf)
  const other = { at: 20_022, gross: 777_777_777n, payee: 'other' }
  const chances = chancesOfAnna(sumOf(list.map(({ gross }) => gross)), [...list, other])
  const ofOther = chances.splice(5, 1)
  for (const chance of chances) expect(chance).toBeGreaterThan(0.999)
  expect(ofOther).toEqual([0])
})

const bundlesOf = (...given: Parameters<typeof history>) =>
  readReturnedRests(history(...given)).bundles.flat()

it('treats no sum as evidence if two deposits have it, or if round amounts add up to it', () => {
  const odd = listOf(oddOf)
  const sum = sumOf(odd.map(({ gross }) => gross))
  const all = odd.map((_, place) => place)
  expect(bundlesOf(sum, odd)).toEqual([{ deposit: ANNA, settlements: all }])
  expect(bundlesOf(sum, odd, 2)).toEqual([])
  expect(
    bundlesOf(
      BigInt(COUNT) * COIN,
      listOf(() => COIN),
    ),
  ).toEqual([])
})

it('treats no sum as evidence if the payments are far apart', () => {
  const apart = listOf(oddOf).map((one, place) => ({ ...one, at: one.at + 60 * place }))
  expect(bundlesOf(sumOf(apart.map(({ gross }) => gross)), apart)).toEqual([])
})
