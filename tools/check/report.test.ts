import { expect, test } from 'vitest'
import { renderCount, renderOutcome, renderTimes } from './report.ts'

test('passes and failures are counted separately', () => {
  const outcomes = [
    { name: 'a', problems: [] },
    { name: 'b', problems: ['x', 'y'] },
    { name: 'c', problems: [] },
  ]
  expect(renderCount(outcomes)).toBe('2 passed, 1 failed')
})

test('a skipped check counts separately from passes and failures', () => {
  const skipped = { name: 'rust lint', problems: [], skipped: 'cargo clippy is not installed' }
  expect(renderOutcome(skipped)).toBe('SKIP  rust lint (cargo clippy is not installed)')
  const count = renderCount([skipped, { name: 'a', problems: [] }])
  expect(count).toBe('1 skipped, see above\n1 passed, 0 failed')
})

test('the seconds of each step are listed, the longest first', () => {
  const results = [
    { name: 'format', outcomes: [], seconds: 2.4 },
    { name: 'lint', outcomes: [], seconds: 61.5 },
  ]
  expect(renderTimes(results)).toBe('lint 62 s, format 2 s')
})

test('a failure shows its problems and the reason for the check', () => {
  const text = renderOutcome({ name: 'tidy names', problems: ['a.ts is wrong'], why: 'Because.' })
  expect(text).toBe('FAIL  tidy names\n      a.ts is wrong\n      Why: Because.')
})

test('a long list of problems is shortened', () => {
  const problems = Array.from({ length: 50 }, (_, index) => `problem ${index}`)
  expect(renderOutcome({ name: 'lint', problems })).toMatch(/problem 39\n {6}and 10 more$/)
})
