import { expect, it } from 'vitest'
import { mergeRun, NO_REPORT, type BenchRun } from './bench-report.ts'
import type { Line } from './line.ts'

const run = (command: string): BenchRun => ({
  ...{ command, commit: 'c0ffee', isDirty: false, date: '2026-11-21', node: 'v20.20.2' },
  machine: { processor: 'a processor', cores: 2, memoryGb: 8, system: 'Linux', load: 0.1 },
})
const line = (name: string, value: number): Line => ({
  ...{ name, unit: 'ms', value, baseline: 1, ratio: value, bar: null, ok: true },
})
const whole = (suite: string, ...lines: Line[]) => ({ suite, lines, isWhole: true })
const part = (suite: string, ...lines: Line[]) => ({ suite, lines, isWhole: false })

it('keeps the lines and the descriptions of earlier runs', () => {
  const all = mergeRun(NO_REPORT, run('all'), whole('tree', line('a', 1), line('b', 1)))
  const more = mergeRun(all, run('all'), whole('http', line('c', 1)))
  const { runs, results } = mergeRun(more, run('again'), part('tree', line('b', 2)))
  expect(runs.map(({ command }) => command)).toEqual(['all', 'again'])
  expect(results.map(({ name, value, run }) => [name, value, run])).toEqual([
    ['a', 1, 0],
    ['c', 1, 0],
    ['b', 2, 1],
  ])
})

it('drops lines that a complete run of their suite no longer measures', () => {
  const old = mergeRun(NO_REPORT, run('old'), whole('tree', line('a', 1), line('b', 1)))
  const { runs, results } = mergeRun(old, run('new'), whole('tree', line('a', 2)))
  expect(runs.map(({ command }) => command)).toEqual(['new'])
  expect(results).toMatchObject([{ name: 'a', value: 2, run: 0 }])
})
