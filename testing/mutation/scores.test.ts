import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { AREAS } from './areas.mjs'
import { scoresOf } from './scores.ts'

const report = (of: Record<string, readonly string[]>) => ({
  files: Object.fromEntries(
    Object.entries(of).map(([name, all]) => [name, { mutants: all.map((status) => ({ status })) }]),
  ),
})
const [fees = ''] = AREAS['money maths'] ?? []
const times = (count: number, status: string) => Array.from({ length: count }, () => status)

it('counts a mutant as noticed only if a test fails or hangs', () => {
  const all = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'CompileError']
  expect(scoresOf(report({ [fees]: all }))[0]).toMatchObject({
    changes: 4,
    noticed: 2,
    percent: '50.00',
  })
})

it('does not round a score up to the minimum', () => {
  const scored = (killed: number, survived: number) =>
    scoresOf(report({ [fees]: [...times(killed, 'Killed'), ...times(survived, 'Survived')] }))[0]
  expect(scored(85, 15)).toMatchObject({ percent: '85.00', isEnough: true })
  expect(scored(8_499, 1_501)).toMatchObject({ percent: '84.99', isEnough: false })
})

it('fails an area without any mutant', () => {
  expect(scoresOf(report({})).map(({ isEnough }) => isEnough)).toEqual([false, false, false, false])
  for (const file of Object.values(AREAS).flat()) {
    expect(existsSync(path.join(repositoryRoot, file)), file).toBe(true)
  }
})
