import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { readReturnedRests } from './returned-rests.ts'
import { sampleSightings } from './sample-sightings.ts'
import { weighSets, weighSetsWithLast } from './weigh-sets.ts'

const DAY = 86_400
const VALUE = 10_000_000_000n
/** `sampleSightings` begins at this time of the day. */
const BEGIN = Number(unixSeconds(1_700_000_400n)) % DAY
/** Seconds from the beginning of the sample to the beginning of a later day. */
const dayAt = (day: number) => day * DAY - BEGIN

const LIFE = 2
/** Unused balances whose whole value returned. They show the usual life. */
const unused = Array.from({ length: 4 }, (_, place) => ({
  deposit: { at: 100 + place, value: VALUE + BigInt(place), sender: `unused ${place}` },
  refund: {
    ...{ at: 1_800 + LIFE * DAY + 1_000 + place, gross: VALUE + BigInt(place) },
    ...{ payee: `unused ${place}`, isRefund: true },
  },
}))

const sample = (payments: readonly { readonly at: number; readonly gross: bigint }[]) => {
  const paid = payments.reduce((sum, { gross }) => sum + gross, 0n)
  const last = dayAt(2) + LIFE * DAY + 900
  const settlements = [
    ...payments.map((one) => ({ ...one, payee: `p ${one.at}` })),
    ...unused.map(({ refund }) => refund),
    { at: last, gross: VALUE * 2n - paid, payee: 'anna', isRefund: true },
  ].sort((left, right) => left.at - right.at)
  const sightings = sampleSightings(
    [{ at: 50, value: VALUE * 2n, sender: 'anna' }, ...unused.map(({ deposit }) => deposit)],
    settlements,
    last + 100,
  )
  const deadline = sightings.deposits[0]!.seconds - 50 + 1_800
  const deposits = sightings.deposits.map((one) => ({ ...one, deadline }))
  return { ...sightings, deposits }
}

it('reads the day of the last payment from the time of a return', () => {
  const sightings = sample([{ at: dayAt(2) + 5_000, gross: 1_234_567_891n }])
  const { lastPayments } = readReturnedRests(sightings)
  const day = sightings.settlements[0]!.seconds - 5_000
  expect(lastPayments.get(0)).toEqual({ from: day - 1_200, to: day + DAY })
  // The whole value of these balances returned, so nothing was paid out of them.
  expect(lastPayments.get(1)).toBeUndefined()
})

it('explains a rest only by payments up to the day of the last payment, with at least one on that day', () => {
  // Two histories have payments of the same amounts. In the first history, the second payment lands on the day of the
  // last payment. In the second history, it lands a day earlier.
  const [early, late] = [1_234_567_891n, 2_345_678_912n]
  const sightings = sample([
    { at: dayAt(1) + 100, gross: early },
    { at: dayAt(2) + 100, gross: late },
  ])
  const twin = sample([
    { at: dayAt(1) + 100, gross: early },
    { at: dayAt(1) + 200, gross: late },
  ])
  const bundleOf = (seen: typeof sightings) => readReturnedRests(seen).bundles.flat()
  expect(bundleOf(sightings)).toEqual([{ deposit: 0, settlements: [0, 1] }])
  expect(bundleOf(twin)).toEqual([])
})

it('weighs only sets that have a part that can be the last one', () => {
  const parts = [
    { size: 3, chance: 0.5, isLast: false },
    { size: 3, chance: 0.5, isLast: true },
    { size: 6, chance: 0.5, isLast: false },
  ]
  const all = weighSets(parts, 6, 6)
  const { evidence, chances } = weighSetsWithLast(parts, 6, 6)
  // Of the two sets {3, 3} and {6}, only {3, 3} has a part that can be the last one.
  expect(all.evidence).toBeCloseTo(0.25)
  expect(evidence).toBeCloseTo(0.125)
  expect(chances[0]).toBeCloseTo(1)
  expect(chances[1]).toBeCloseTo(1)
  expect(chances[2]).toBeCloseTo(0)
})
