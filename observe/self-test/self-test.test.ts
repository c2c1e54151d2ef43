import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { PLANTED_LEAKS } from './planted-leaks.ts'
import { judge, testOne } from './run-self-test.ts'

it('has eleven planted leaks', () => {
  expect(PLANTED_LEAKS).toHaveLength(11)
})

// The long test plants the other leaks.
it.each(PLANTED_LEAKS.slice(0, 3))(
  'the observer sees through JSON-RPC that $name',
  async (planted) => {
    const result = await testOne(planted, new SeededRandom(`test/${planted.name}`))
    expect(result.wrong).toEqual([])
    expect(result.isRight).toBe(true)
  },
)

it('the observer finds nothing in a service without a leak', async () => {
  const result = await testOne(undefined, new SeededRandom('test/1'))
  expect(result.seen).toEqual([])
})

it('counts an additional finding as wrong', () => {
  const planted = PLANTED_LEAKS.find(({ name }) => name === 'each asset has a relayer of its own')!
  const right = { leak: 'relayer', seen: 'the relayer depends on the asset', chance: 0 } as const
  const other = { ...right, seen: 'the relayer depends on the place of the deposit' }
  expect(judge(planted, [right])).toMatchObject({ isRight: true, wrong: [] })
  expect(judge(planted, [right, other])).toMatchObject({
    isRight: false,
    wrong: ['relayer: the relayer depends on the place of the deposit'],
  })
  expect(judge(planted, [other]).isRight).toBe(false)
  expect(judge(planted, []).isRight).toBe(false)
  expect(judge(undefined, [right]).isRight).toBe(false)
  expect(judge(undefined, []).isRight).toBe(true)
})
