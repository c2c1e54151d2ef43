import { expect, test } from 'vitest'
import { renderCount, renderOutcome } from './report.ts'

test('the count tells failures from passes', () => {
  const outcomes = [
    { name: 'a', problems: [] },
    { name: 'b', problems: ['x', 'y'] },
    { name: 'c', problems: [] },
  ]
  expect(renderCount(outcomes)).toBe('2 passed, 1 failed')
})

test('a failure shows its problems and why it is one', () => {
  const text = renderOutcome({ name: 'tidy names', problems: ['a.ts is wrong'], why: 'Because.' })
  expect(text).toBe('FAIL  tidy names\n      a.ts is wrong\n      Why: Because.')
})

test('a flood of problems is cut, and says how much was', () => {
  const problems = Array.from({ length: 50 }, (_, index) => `problem ${index}`)
  expect(renderOutcome({ name: 'lint', problems })).toMatch(/problem 39\n {6}and 10 more$/)
})
