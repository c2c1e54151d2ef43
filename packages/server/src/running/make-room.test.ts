import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeRoom } from './shared-answer.ts'

const MOST = 4
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('insert' as const), key: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: fc.nat(9) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('clear' as const), key: fc.constant(0) }),
    },
  ),
  { maxLength: 200 },
)

it('drops the oldest entries of a full map', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const map = new Map<number, true>()
      let expected: number[] = []
      for (const { kind, key } of all) {
        if (kind === 'clear') map.clear()
        else map.delete(key)
        expected = kind === 'clear' ? [] : expected.filter((one) => one !== key)
        if (kind !== 'insert') continue
        makeRoom(map, MOST)
        map.set(key, true)
        expected = [...expected.slice(-(MOST - 1)), key]
        expect([...map.keys()]).toEqual(expected)
      }
    }),
  )
})
