import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { sampleSightings } from './sample-sightings.ts'

const EFFORT = { runs: 2, warmUp: 30, sweeps: 300 }
const infer = (sightings: ReturnType<typeof sampleSightings>) =>
  inferLinks(sightings, new SeededRandom('test'), EFFORT)

const chanceIn = (links: ReturnType<typeof infer>[number] | undefined, deposit: number) =>
  links?.candidates.find((one) => one.deposit === deposit)?.chance ?? 0

const ROUND = 1_000_000_000n
const ODD = 1_234_567_891n

it('links an odd amount to the only deposit of the same value', () => {
  const [link] = infer(
    sampleSightings(
      [
        { at: 0, value: ODD, sender: 'anna' },
        { at: 1, value: 20n * ROUND, sender: 'bela' },
      ],
      [{ at: 40, gross: ODD, payee: 'x' }],
    ),
  )
  expect(link!.candidates[0]).toMatchObject({ deposit: 0 })
  expect(link!.candidates[0]!.chance).toBeGreaterThan(0.999)
})

it('links no payment to a later or smaller deposit', () => {
  const [link] = infer(
    sampleSightings(
      [
        { at: 0, value: ROUND, sender: 'anna' },
        { at: 5, value: ROUND / 2n, sender: 'bela' },
        { at: 90, value: ROUND, sender: 'cleo' },
      ],
      [{ at: 40, gross: ROUND, payee: 'x' }],
    ),
  )
  expect(link!.candidates.map(({ deposit }) => deposit)).toEqual([0])
})

it('links no payment to a deposit that the proof’s root doesn’t cover', () => {
  const [link] = infer(
    sampleSightings(
      [
        { at: 0, value: ROUND, sender: 'anna' },
        { at: 30, value: ROUND, sender: 'bela' },
      ],
      [{ at: 40, gross: ROUND, payee: 'x', rootAt: 20 }],
    ),
  )
  expect(link!.candidates.map(({ deposit }) => deposit)).toEqual([0])
})

it('lets no payment spend a change that the proof’s root doesn’t cover', () => {
  const chanceOfSame = (rootAt: number) => {
    const [first, second] = infer(
      sampleSightings(
        [
          { at: 0, value: 20n * ROUND, sender: 'anna' },
          { at: 1, value: ROUND / 5n, sender: 'bela' },
        ],
        [
          { at: 7_200, gross: ROUND / 3n, payee: 'x' },
          { at: 7_204, gross: ROUND / 7n, payee: 'x', rootAt },
        ],
      ),
    )
    expect(chanceIn(first, 0)).toBeGreaterThan(0.999)
    return chanceIn(second, 0)
  }
  expect(chanceOfSame(7_203)).toBeGreaterThan(0.5)
  expect(chanceOfSame(7_199)).toBeLessThan(0.01)
})

it('gives each deposit of two equal transfers a chance of one half', () => {
  const links = infer(
    sampleSightings(
      [
        { at: 0, value: ROUND, sender: 'anna' },
        { at: 0.5, value: ROUND, sender: 'bela' },
      ],
      [
        { at: 31, gross: ROUND, payee: 'x' },
        { at: 32, gross: ROUND, payee: 'y' },
      ],
    ),
  )
  for (const { candidates } of links) {
    for (const { chance } of candidates) expect(Math.abs(chance - 0.5)).toBeLessThan(0.06)
  }
})

it('subtracts each payment from its balance', () => {
  const links = infer(
    sampleSightings(
      [
        { at: 0, value: 3n * ROUND, sender: 'anna' },
        { at: 1, value: 20n * ROUND, sender: 'bela' },
      ],
      [
        { at: 9_000, gross: 2_111_111_111n, payee: 'x' },
        { at: 19_000, gross: 2_222_222_222n, payee: 'y' },
      ],
    ),
  )
  const byAnna = links.map(({ candidates }) => candidates.find(({ deposit }) => deposit === 0))
  const both = byAnna.reduce((sum, one) => sum + (one?.chance ?? 0), 0)
  expect(both).toBeLessThanOrEqual(1.0001)
  expect(both).toBeGreaterThan(0.1)
})

it('finds the payments of a balance by the rest that returned', () => {
  const payments = [101_234_567n, 98_765_431n, 250_000_001n, 333_333_333n, 41_414_141n]
  const rest = 10n * ROUND - payments[0]! - payments[2]! - payments[4]!
  const links = infer(
    sampleSightings(
      [
        { at: 0, value: 10n * ROUND, sender: 'anna' },
        { at: 1, value: 20n * ROUND, sender: 'bela' },
      ],
      [
        ...payments.map((gross, place) => ({ at: 4_000 * (place + 1), gross, payee: `${place}` })),
        { at: 90_000, gross: rest, payee: 'anna', isRefund: true },
      ],
    ),
  )
  expect(links.map(({ candidates }) => candidates[0])).toEqual(
    [0, 1, 0, 1, 0].map((deposit) => ({ deposit, chance: expect.closeTo(1, 6) as number })),
  )
})

it('finds the payments that together empty a balance', () => {
  const payments = [101_234_567n, 98_765_431n, 250_000_001n, 333_333_333n]
  const emptied = payments[0]! + payments[2]!
  const links = infer(
    sampleSightings(
      [
        { at: 0, value: emptied, sender: 'anna' },
        ...['bela', 'cleo', 'dora'].map((sender) => ({ at: 1, value: 20n * ROUND, sender })),
      ],
      payments.map((gross, place) => ({ at: 4_000 * (place + 1), gross, payee: `${place}` })),
    ),
  )
  const ofAnna = links.map(
    ({ candidates }) => candidates.find(({ deposit }) => deposit === 0)?.chance ?? 0,
  )
  expect(ofAnna).toEqual([1, 0, 1, 0].map((chance) => expect.closeTo(chance, 6) as number))
})

it('finds the payments of a balance that its owner closed', () => {
  const payments = [101_234_567n, 98_765_431n, 250_000_001n]
  const rest = 10n * ROUND - payments[0]! - payments[1]!
  const links = infer(
    sampleSightings(
      [
        { at: 0, value: 10n * ROUND, sender: 'anna' },
        { at: 1, value: 20n * ROUND, sender: 'bela' },
      ],
      [
        ...payments.map((gross, place) => ({ at: 4_000 * (place + 1), gross, payee: `${place}` })),
        { at: 50_000, gross: rest, payee: 'anna' },
      ],
    ),
  )
  expect(links.map(({ candidates }) => candidates[0]?.deposit)).toEqual([0, 0, 1, 0])
})

it('prefers the sender who has paid the payee before', () => {
  const deposits = ['anna', 'bela'].flatMap((sender, place) =>
    [0, 1, 2].map((round) => ({
      at: round * 10_000 + place * 3_000,
      value: 1_000_000_007n + BigInt(place * 1_000 + round),
      sender,
    })),
  )
  const settlements = deposits.map(({ at, value, sender }) => ({
    ...{ at: at + 30, gross: value, payee: `payee of ${sender}` },
  }))
  const sightings = sampleSightings(
    [
      ...deposits,
      { at: 50_000, value: ROUND, sender: 'anna' },
      { at: 50_001, value: ROUND, sender: 'bela' },
    ].sort((left, right) => left.at - right.at),
    [
      ...settlements,
      { at: 50_031, gross: ROUND, payee: 'payee of bela' },
      { at: 50_033, gross: ROUND, payee: 'payee of anna' },
    ].sort((left, right) => left.at - right.at),
  )
  const [bela, anna] = infer(sightings).slice(-2)
  expect(sightings.deposits[bela!.candidates[0]!.deposit]!.sender).toBe('bela')
  expect(sightings.deposits[anna!.candidates[0]!.deposit]!.sender).toBe('anna')
  expect(bela!.candidates[0]!.chance).toBeGreaterThan(0.7)
})

it('links a payment to no deposit if its own deposit was not seen', () => {
  const [link] = infer(sampleSightings([], [{ at: 40, gross: ROUND, payee: 'x' }]))
  expect(link!.candidates).toEqual([])
})

it('links a payment right after a top-up to that top-up', () => {
  const DAY = 86_400
  const owners = Array.from({ length: 10 }, (_, place) => place)
  const topUps = owners.map((place) => ({
    ...{ at: place * 3 * DAY, value: 50n * ROUND, sender: `owner ${place}` },
  }))
  const firsts = topUps.map(({ at }, place) => ({ at: at + 100, gross: ROUND, payee: `${place}` }))
  const later = owners.flatMap((place) =>
    [1, 2, 3].map((round) => ({
      ...{ at: (place * 3 + round) * DAY - 7_000 * place - 9_000, gross: ROUND },
      payee: `${place} and ${round}`,
    })),
  )
  const settlements = [...firsts, ...later].sort((left, right) => left.at - right.at)
  const links = infer(sampleSightings(topUps, settlements))
  const ofFirsts = firsts.map((first, place) => {
    const { candidates } = links[settlements.indexOf(first)]!
    return candidates.find(({ deposit }) => deposit === place)?.chance ?? 0
  })
  const mean = ofFirsts.reduce((sum, chance) => sum + chance, 0) / ofFirsts.length
  expect(mean).toBeGreaterThan(0.95)
})
