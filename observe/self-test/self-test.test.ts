import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { PLANTED_LEAKS } from './planted-leaks.ts'
import { testOne } from './run-self-test.ts'

it('eleven leaks are planted', () => {
  expect(PLANTED_LEAKS).toHaveLength(11)
})

it.each(PLANTED_LEAKS)('the observer sees through JSON-RPC that $name', async (planted) => {
  const result = await testOne(planted, new SeededRandom(`test/${planted.name}`))
  expect(result.found).toContain(planted.found)
})

it.each([1, 2, 3])(
  'the observer finds nothing in a service without a leak (seed %i)',
  async (seed) => {
    const result = await testOne(undefined, new SeededRandom(`test/${seed}`))
    expect(result.seen).toEqual([])
  },
)
