import { expect, it } from 'vitest'
import { KeptPerAsker } from './kept-per-asker.ts'

it('drops the oldest value of the asker with the most values', () => {
  const kept = new KeptPerAsker<number>(4)
  kept.set('calm', 'a', 1)
  for (const [key, value] of [
    ['a', 2],
    ['b', 3],
    ['c', 4],
    ['d', 5],
    ['a', 6],
    ['a', 7],
  ] as const) {
    kept.set('busy', key, value)
  }
  expect(kept.get('calm', 'a')).toBe(1)
  expect(['a', 'b', 'c', 'd'].map((key) => kept.get('busy', key))).toEqual([7, undefined, 4, 5])
})

it('has room again for the values that were dropped', () => {
  const kept = new KeptPerAsker<number>(2)
  kept.set('one', 'a', 1)
  kept.set('two', 'a', 2)
  expect(kept.dropWhere((value) => value === 1)).toBe(true)
  kept.delete('one', 'a')
  kept.set('three', 'a', 3)
  expect(['one', 'two', 'three'].map((asker) => kept.get(asker, 'a'))).toEqual([undefined, 2, 3])
  expect(kept.dropWhere(() => true)).toBe(false)
})
