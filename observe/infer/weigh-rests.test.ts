import { expect, it } from 'vitest'
import { linkProblem } from './link-problem.ts'
import { sampleSightings } from './sample-sightings.ts'
import { weighRests } from './weigh-rests.ts'

const TOP_UP = 10_000_000_000n
const PAYMENTS = [
  ...[1_101_234_567n, 987_654_321n, 2_500_000_001n],
  ...[1_333_333_333n, 414_141_419n, 771_828_183n],
]
const PAID = PAYMENTS[0]! + PAYMENTS[2]! + PAYMENTS[4]!

/** Six payments, each from one of two balances with equal chances. Then another payment closes the first balance. */
function weighClosing(residue: bigint) {
  const problem = linkProblem(
    sampleSightings(
      [
        { at: 0, value: TOP_UP, sender: 'anna' },
        { at: 1, value: TOP_UP, sender: 'bela' },
      ],
      [
        ...PAYMENTS.map((gross, place) => ({ at: 4_000 * (place + 1), gross, payee: `${place}` })),
        { at: 90_000, gross: TOP_UP - PAID - residue, payee: 'anna' },
      ],
    ),
  )
  const candidates = [0, 1].map((deposit) => ({ deposit, chance: 0.5 }))
  return weighRests(
    problem,
    problem.payments.map(({ index }) => ({ settlement: index, candidates })),
  )
}

it('finds the payments that fit a closing with a residue', () => {
  const links = weighClosing(3_333_331n)
  expect(links.map(({ candidates }) => candidates[0]?.deposit)).toEqual([0, 1, 0, 1, 0, 1, 0])
  for (const { candidates } of links) {
    expect(candidates[0]!.chance).toBeGreaterThan(0.9)
    expect(candidates.reduce((sum, { chance }) => sum + chance, 0)).toBeCloseTo(1, 6)
  }
})

it('changes no chance if no set of payments fits a closing', () => {
  for (const { candidates } of weighClosing(150_000_000n)) {
    for (const { chance } of candidates) expect(chance).toBeCloseTo(0.5, 6)
  }
})

it('assumes that a returned rest came from the balance that makes no more payments', () => {
  const problem = linkProblem(
    sampleSightings(
      [
        { at: 0, value: TOP_UP, sender: 'anna' },
        { at: 1, value: TOP_UP, sender: 'anna' },
      ],
      [
        { at: 4_000, gross: PAYMENTS[0]!, payee: 'x' },
        { at: 9_000, gross: TOP_UP - PAYMENTS[0]!, payee: 'anna', isRefund: true },
        { at: 20_000, gross: PAYMENTS[1]!, payee: 'y' },
      ],
    ),
  )
  const evenly = [0, 1].map((deposit) => ({ deposit, chance: 0.5 }))
  const mostlyFirst = [0.99, 0.01].map((chance, deposit) => ({ deposit, chance }))
  const [before, after] = weighRests(problem, [
    { settlement: 0, candidates: evenly },
    { settlement: 2, candidates: mostlyFirst },
  ])
  expect(before!.candidates[0]!.deposit).toBe(1)
  expect(before!.candidates[0]!.chance).toBeGreaterThan(0.95)
  expect(after!.candidates[0]!.deposit).toBe(0)
  expect(after!.candidates[0]!.chance).toBeGreaterThan(0.95)
})
