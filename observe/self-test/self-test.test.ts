import { expect, it } from 'vitest'
import { expectFound, expectNothing, USUAL_LEAKS } from './expect-leaks.ts'
import { PLANTED_LEAKS } from './planted-leaks.ts'
import { judge } from './run-self-test.ts'

it('has eleven planted leaks', () => {
  expect(PLANTED_LEAKS).toHaveLength(11)
})

it.each(USUAL_LEAKS)('the observer sees through JSON-RPC that $name', expectFound)

it.each([1])('the observer finds nothing in a service without a leak (seed %i)', expectNothing)

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
