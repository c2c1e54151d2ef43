import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { sampleSightings } from './sample-sightings.ts'
import { TransferDelays } from './transfer-delays.ts'

const ROUND = 1_000_000_000n
const EFFORT = { runs: 2, warmUp: 30, sweeps: 200 }

it('learns how many transfers are delivered at the end of their wait', () => {
  const delays = new TransferDelays()
  const inside = { delay: 5_000, sinceWaitEnd: 100, couldHaveCrowd: false }
  const before = delays.logDensity(inside)
  delays.learn(Array.from({ length: 10 }, () => ({ time: inside, weight: 1 })))
  expect(delays.logDensity(inside)).toBeGreaterThan(before + 1)
  expect(delays.logDensity(inside)).toBeGreaterThan(
    delays.logDensity({ ...inside, sinceWaitEnd: 400 }) + 2,
  )
})

it('links a delivery at the end of the longest wait by the deposit’s deadline', () => {
  // The odd amounts reveal to the observer that some transfers are delivered at the end of their wait.
  const known = [0, 1, 2, 3, 4, 5].map((place) => ({
    at: place * 10_000,
    value: ROUND + BigInt(1 + place),
  }))
  const asked = [60_000, 61_500, 62_400]
  const sample = sampleSightings(
    [
      ...known.map((one, place) => ({ ...one, sender: `earlier ${place}` })),
      ...asked.map((at, place) => ({ at, value: ROUND, sender: `wallet ${place}` })),
    ],
    [
      ...known.map(({ at, value }, place) => ({ at: at + 5_100, gross: value, payee: `${place}` })),
      { at: 65_100, gross: ROUND, payee: 'x' },
    ],
  )
  const waits = [...known.map(() => 2_000), 2_000, 1_400, 1_800]
  const deposits = sample.deposits.map((one, place) => ({
    ...one,
    deadline: one.seconds + waits[place]!,
  }))
  const chanceOfFirst = (sightings: typeof sample): number => {
    const links = inferLinks(sightings, new SeededRandom('test'), EFFORT)
    return links.at(-1)!.candidates.find(({ deposit }) => deposit === 6)?.chance ?? 0
  }
  expect(chanceOfFirst({ ...sample, deposits })).toBeGreaterThan(0.9)
  expect(chanceOfFirst(sample)).toBeLessThan(0.6)
})
