import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { inferLinks } from './infer-links.ts'
import { sampleSightings } from './sample-sightings.ts'
import { shownTariffs } from './shown-tariffs.ts'
import { TariffTimeline } from './tariff-timeline.ts'

const EFFORT = { runs: 2, warmUp: 20, sweeps: 100 }
const ROUND = 1_000_000_000n
const [EARLIER_FEE, LATER_FEE] = [100_000n, 200_000n]
const feeOf = (gross: bigint, networkFee: bigint) => (gross * 20n + 9_999n) / 10_000n + networkFee

const chancesOf = (sightings: ReturnType<typeof sampleSightings>, settlement: number) => {
  const links = inferLinks(sightings, new SeededRandom('test'), EFFORT)
  const found = links.find((one) => one.settlement === settlement)?.candidates ?? []
  return new Map(found.map(({ deposit, chance }) => [deposit, chance]))
}

/** Transfers of odd amounts, whose deposits are certain. The tariff changes after 1,000 seconds. */
const KNOWN = Array.from({ length: 12 }, (_, place) => {
  const at = place * 180
  const gross = 1_234_567_891n + 7_919n * BigInt(place)
  const fee = feeOf(gross, at < 1_000 ? EARLIER_FEE : LATER_FEE)
  return { deposit: { at, value: gross, sender: `known ${place}` }, gross, fee, at: at + 40 }
})
const knownDeposits = KNOWN.map(({ deposit }) => deposit)
const knownSettlements = KNOWN.map(({ gross, fee, at }) => ({ at, gross, fee, payee: `p ${at}` }))

it('finds the network fee of each settlement, and none if the fee belongs to no tariff', () => {
  const { settlements } = sampleSightings(knownDeposits, [
    ...knownSettlements,
    { at: 3_000, gross: ROUND, fee: 17n, payee: 'without a tariff' },
  ])
  const shown = shownTariffs(settlements)
  expect(shown.slice(0, 12)).toEqual(
    KNOWN.map(({ deposit }) => (deposit.at < 1_000 ? EARLIER_FEE : LATER_FEE)),
  )
  expect(shown.at(-1)).toBeUndefined()
})

it('links a delivery to the deposit that was made while the delivery’s tariff was in force', () => {
  const first = knownDeposits.length
  const sightings = (networkFee: bigint) =>
    sampleSightings(
      [
        ...knownDeposits,
        { at: 500, value: ROUND, sender: 'anna' },
        { at: 1_500, value: ROUND, sender: 'bela' },
      ],
      [
        ...knownSettlements,
        { at: 1_701, gross: ROUND, fee: feeOf(ROUND, networkFee), payee: 'x' },
      ].sort((left, right) => left.at - right.at),
    )
  const settlement = (fee: bigint) =>
    sightings(fee).settlements.find(({ payee }) => payee === 'x')!.index
  const earlier = chancesOf(sightings(EARLIER_FEE), settlement(EARLIER_FEE))

  expect(earlier.get(first)!).toBeGreaterThan(0.9)
  const later = chancesOf(sightings(LATER_FEE), settlement(LATER_FEE))
  expect(later.get(first + 1)!).toBeGreaterThan(0.9)
})

it('estimates the tariff between two known quotes from the time between them', () => {
  const point = (seconds: number, networkFee: bigint) => ({ seconds, networkFee, weight: 1 })
  const timeline = new TariffTimeline([
    ...[0, 600, 1_200, 1_800].map((seconds) => point(seconds, 1n)),
    ...[2_400, 3_000, 3_600, 4_200].map((seconds) => point(seconds, 2n)),
  ])
  expect(timeline.chanceAt(900, 1n)).toBeGreaterThan(0.99)
  expect(timeline.chanceAt(2_100, 1n)).toBeCloseTo(0.5, 1)
  expect(timeline.chanceAt(3_300, 1n)).toBeLessThan(0.01)
  expect(timeline.chanceAt(9_000, 2n)).toBeGreaterThan(0.99)
})

/** Two equal deposits, and a delivery whose payee's account was opened at this time. */
const withAccount = (accountAt: number, opensAccount: boolean) =>
  chancesOf(
    sampleSightings(
      [
        { at: 0, value: ROUND, sender: 'anna' },
        { at: 400, value: ROUND, sender: 'bela' },
      ],
      [{ at: 800, gross: ROUND, payee: 'x', accountAt, opensAccount }],
    ),
    0,
  )

it('links a delivery that found an account to a deposit that was made after the account was opened', () => {
  expect(withAccount(200, false).get(1)!).toBeGreaterThan(0.95)
})

it('links a delivery that found no account to a deposit that was made before the account was opened', () => {
  expect(withAccount(60, true).get(0)!).toBeGreaterThan(0.9)
})

it('excludes no deposit if the delivery itself opened the account, or if the account is old', () => {
  const opened = withAccount(800, true)
  const old = withAccount(-1_000, false)
  for (const deposit of [0, 1]) {
    expect(opened.get(deposit)!).toBeGreaterThan(0.1)
    expect(old.get(deposit)!).toBeCloseTo(opened.get(deposit)!, 1)
  }
})
