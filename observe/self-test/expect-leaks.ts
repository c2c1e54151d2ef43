import { expect } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { PLANTED_LEAKS, type PlantedLeak } from './planted-leaks.ts'
import { testOne } from './run-self-test.ts'

/** Number of leaks that the usual tests plant. */
const USUAL = 2
/** The leaks that the usual tests plant. */
export const USUAL_LEAKS = PLANTED_LEAKS.slice(0, USUAL)
/** The leaks that the long test plants. */
export const OTHER_LEAKS = PLANTED_LEAKS.slice(USUAL)

/** Plants a leak. The observer must find this leak and nothing else. */
export async function expectFound(planted: PlantedLeak): Promise<void> {
  const result = await testOne(planted, new SeededRandom(`test/${planted.name}`))
  expect(result.wrong).toEqual([])
  expect(result.isRight).toBe(true)
}

/** The observer must find nothing in the history of a service without a leak. */
export async function expectNothing(seed: number): Promise<void> {
  const result = await testOne(undefined, new SeededRandom(`test/${seed}`))
  expect(result.seen).toEqual([])
}
