import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { findSeries } from './payment-lists.ts'
import { sampleSightings } from './sample-sightings.ts'

const COIN = 1_000_000_000n
const DAY = 86_400
const EFFORT = { runs: 4, warmUp: 20, sweeps: 40 }
const amountOf = (place: number) => 700_000_000n + 12_345_679n * BigInt(place)

/**
 * Owners who top up within minutes of each other. Each day, the owner with the number `payer` pays the same eight
 * payees within a minute.
 */
function history(owners: number, days: number, payer: number) {
  const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)
  const topUps = numbers(days).flatMap((day) =>
    // Each top-up is enough for one list. The payer tops up every day. Each of the other owners leaves out one day.
    numbers(owners).flatMap((owner) =>
      days > 1 && owner !== payer && owner % days === day
        ? []
        : [{ at: day * DAY + owner * 100, value: 7n * COIN, sender: `owner ${owner}` }],
    ),
  )
  const lists = numbers(days).flatMap((day) =>
    numbers(8).map((place) => ({
      at: day * DAY + 30_000 + place * 7,
      gross: amountOf(place) + BigInt(day),
      payee: `payee ${place}`,
    })),
  )
  // In a real pool, most payments go to other payees. These transfers have odd amounts, so their senders are known.
  const others = numbers(60).map((place) => ({
    at: place * 1_000 + 17,
    value: 300_000_001n + 1_111_111n * BigInt(place),
    sender: `sender ${place}`,
  }))
  const paid = others.map(({ at, value }, place) => ({
    ...{ at: at + 60, gross: value, payee: `other ${place}` },
  }))
  const inOrder = (left: { at: number }, right: { at: number }) => left.at - right.at
  const deposits = [...topUps, ...others].sort(inOrder)
  return sampleSightings(deposits, [...lists, ...paid].sort(inOrder), days * DAY)
}

function chancesOf(
  sightings: ReturnType<typeof history>,
  sender: string,
  effort = EFFORT,
): number[] {
  const links = inferLinks(sightings, new SeededRandom('lists'), effort)
  const ofLists = links.filter(({ settlement }) =>
    sightings.settlements[settlement]!.payee.startsWith('payee'),
  )
  return ofLists.map(({ candidates }) =>
    candidates
      .filter(({ deposit }) => sightings.deposits[deposit]!.sender === sender)
      .reduce((sum, { chance }) => sum + chance, 0),
  )
}

it('gives each possible payer of a list about the same chance', () => {
  const chances = chancesOf(history(4, 1, 3), 'owner 3')
  const mean = chances.reduce((sum, chance) => sum + chance, 0) / chances.length
  expect(mean).toBeGreaterThan(0.15)
  expect(mean).toBeLessThan(0.6)
})

it('finds the payer of a repeated list, because only the payer topped up each time', () => {
  // With less warm-up, some runs end before all lists are linked to one wallet.
  const chances = chancesOf(history(6, 5, 5), 'owner 5', { ...EFFORT, warmUp: 150 })
  for (const chance of chances) expect(chance).toBeGreaterThan(0.5)
})

it('groups lists that share payees, and keeps only the payments to shared payees', () => {
  const payeeOf = [1, 2, 3, 9, 1, 2, 3, 8, 4, 5, 6]
  expect(
    findSeries(
      [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9, 10],
      ],
      payeeOf,
    ),
  ).toEqual([
    [
      [0, 1, 2],
      [4, 5, 6],
    ],
  ])
})
