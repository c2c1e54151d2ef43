import { expect, it } from 'vitest'
import { renderPage } from './performance-page.ts'
import type { BenchReport } from './bench-report.ts'
import { suiteWords } from './suite-words.ts'
import { SUITES } from '../suites.ts'

const report: BenchReport = {
  runs: [
    {
      ...{ command: 'npm run bench -- all --json', commit: 'c0ffee'.repeat(6), isDirty: false },
      ...{ date: '2026-11-21', node: 'v20.20.2' },
      machine: { processor: 'a processor', cores: 2, memoryGb: 8, system: 'Linux', load: 0.1 },
    },
  ],
  results: [
    {
      ...{ suite: 'tree', run: 0, name: 'tree: one hash', unit: 'us' },
      ...{ value: 36_123, baseline: 175, ratio: 0.206, bar: '<= 0.5', ok: true },
    },
  ],
}

it('names the limits that were missed', () => {
  const missed = { ...report, results: report.results.map((line) => ({ ...line, ok: false })) }
  expect(renderPage(report)).toContain('Bars met: 1 of 1.')
  expect(renderPage(missed)).toContain('Bars met: 0 of 1. Missed: tree: one hash.')
  expect(renderPage(missed)).toContain('**<= 0.5 missed**')
})

it.each(Object.keys(SUITES))('has a title and a text for the suite %s', (suite) => {
  expect(suiteWords(suite).text).not.toBe('')
})

it('names the command, commit and machine of its figures', () => {
  const page = renderPage(report)
  for (const text of [
    '`npm run bench -- all --json`',
    'c0ffeec0ffee',
    'a processor',
    '36,120 us',
  ]) {
    expect(page).toContain(text)
  }
})
