import { expect, it } from 'vitest'
import { sampleSightings } from '../infer/sample-sightings.ts'
import { feeClasses, USUAL_FEE } from './fee-classes.ts'

/** A settlement every 60 seconds. `feeAt` returns the network fee that each settlement's fee contains. */
const settlementsWith = (feeAt: (place: number) => bigint) =>
  sampleSightings(
    [{ at: 0, value: 10n ** 12n, sender: 'anna' }],
    Array.from({ length: 200 }, (_, place) => {
      const gross = 1_000_000_000n + 10_007n * BigInt(place)
      const fee = (gross * 20n + 9_999n) / 10_000n + feeAt(place)
      return { at: 10 + place * 60, gross, fee, payee: `p ${place}` }
    }),
  ).settlements

const differentOf = (settlements: ReturnType<typeof settlementsWith>) =>
  [...feeClasses(settlements)].filter(([, label]) => label !== USUAL_FEE).map(([index]) => index)

it('labels fees before and after a change of tariff `usual`, even if a delivery was quoted before the change', () => {
  const late = new Set([103, 108, 115])
  const feeAt = (place: number) => (place < 100 || late.has(place) ? 100_000n : 200_000n)
  expect(differentOf(settlementsWith(feeAt))).toEqual([])
})

it('labels fees `different` if they deviate from the tariff again and again', () => {
  const feeAt = (place: number) => (place % 3 === 0 ? 90_000n : 100_000n)
  const different = differentOf(settlementsWith(feeAt))
  expect(different).toHaveLength(67)
  expect(different.every((index) => index % 3 === 0)).toBe(true)
})
