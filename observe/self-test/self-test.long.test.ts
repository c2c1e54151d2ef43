import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { PLANTED_LEAKS } from './planted-leaks.ts'
import { testOne } from './run-self-test.ts'

it.each(PLANTED_LEAKS.slice(3))(
  'the observer sees through JSON-RPC that $name',
  async (planted) => {
    const result = await testOne(planted, new SeededRandom(`test/${planted.name}`))
    expect(result.wrong).toEqual([])
    expect(result.isRight).toBe(true)
  },
)

it.each([2, 3, 4])(
  'the observer finds nothing in a service without a leak (seed %i)',
  async (seed) => {
    const result = await testOne(undefined, new SeededRandom(`test/${seed}`))
    expect(result.seen).toEqual([])
  },
)
