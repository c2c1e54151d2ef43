import { expect, test } from 'vitest'
import { countResults, describeFailures } from './count-results.mjs'

const vitest = (numPassedTests: number, numFailedTests: number, testResults: unknown[] = []) =>
  JSON.stringify({ numPassedTests, numFailedTests, testResults })

test('vitest: takes the numbers from the report', () => {
  expect(countResults('vitest', 1, vitest(40, 2))).toEqual({ passed: 40, failed: 2 })
})

test('vitest: a file that cannot be loaded is a failure', () => {
  const broken = [{ status: 'failed', assertionResults: [] }]
  expect(countResults('vitest', 1, vitest(40, 0, broken))).toEqual({ passed: 40, failed: 1 })
})

test('cargo: adds up the results of all test binaries', () => {
  const text = [
    'test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out',
    'test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out',
  ].join('\n')
  expect(countResults('cargo', 101, text)).toEqual({ passed: 15, failed: 2 })
})

test('check: takes the numbers from the summary line', () => {
  expect(countResults('check', 1, 'ok  x\n\n33 passed, 8 failed\n')).toEqual({
    passed: 33,
    failed: 8,
  })
})

test('a bad exit code without a failed test counts as a failure', () => {
  expect(countResults('vitest', 1, vitest(40, 0))).toEqual({ passed: 40, failed: 1 })
  expect(countResults('cargo', 101, 'error: could not compile')).toEqual({ passed: 0, failed: 1 })
})

test.each(['vitest', 'cargo', 'check', 'demo'] as const)(
  '%s: a run without any test is a failure',
  (kind) => {
    expect(countResults(kind, 0, '')).toEqual({ passed: 0, failed: 1 })
  },
)

test('demo: the exit code counts as one pass or one failure', () => {
  expect(countResults('demo', 0, '{"ok":true}')).toEqual({ passed: 1, failed: 0 })
  expect(countResults('demo', 1, '{"ok":false}')).toEqual({ passed: 0, failed: 1 })
})

test('vitest: each failed test is described by its file, name and message', () => {
  const testResults = [
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'one', failureMessages: [] },
        { status: 'failed', fullName: 'two', failureMessages: ['expected 1 to be 2'] },
      ],
    },
    { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    { name: 'c.test.ts', status: 'passed', assertionResults: [] },
  ]
  expect(describeFailures('vitest', vitest(2, 1, testResults))).toBe(
    'a.test.ts > two\nexpected 1 to be 2\n\nb.test.ts\nno such module',
  )
})

test('other runners: the last lines of the output describe the failure', () => {
  const text = Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\n')
  expect(describeFailures('check', text).split('\n')).toHaveLength(40)
  expect(describeFailures('check', text)).toMatch(/line 49$/)
})
