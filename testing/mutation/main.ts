// `npm run mutation`: makes small changes to the code on which money, quotes and states depend. Each copy of the code
// with one change is a mutant. Stryker checks whether a test notices the mutant. The command prints the score of each
// area, and ends with 1 if a score is below the minimum. `-- --area 'money maths'` tests only the named area; the
// option can be repeated. Other arguments are passed to Stryker.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { parseArgs } from 'node:util'
import { AREAS, BAR } from './areas.mjs'
import { scoresOf, type Report } from './scores.ts'
import config from './stryker.config.mjs'

const { values, tokens } = parseArgs({
  options: { area: { type: 'string', multiple: true } },
  strict: false,
  tokens: true,
})
const areas = values.area === undefined ? Object.keys(AREAS) : values.area.map(String)
const unknown = areas.filter((area) => AREAS[area] === undefined)
if (unknown.length > 0)
  throw new Error(
    `there is no area ${unknown.join(', ')}; the areas are ${Object.keys(AREAS).join(', ')}`,
  )
const others = tokens.flatMap((token) => {
  if (token.kind !== 'option') return token.kind === 'positional' ? [token.value] : []
  return token.name === 'area'
    ? []
    : [token.rawName, ...(token.value === undefined ? [] : [token.value])]
})

const file = path.join(repositoryRoot, config.jsonReporter.fileName)
// Deletes the report of an earlier run, so that it can't be mistaken for this run's report.
await rm(file, { force: true })
const stryker = path.join(repositoryRoot, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const mutated = ['--mutate', areas.flatMap((area) => AREAS[area] ?? []).join(',')]
const args = [stryker, 'run', 'testing/mutation/stryker.config.mjs', ...mutated, ...others]
const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: 'inherit' })
const [code] = (await once(child, 'close')) as [number | null]

const text = await readFile(file, 'utf8').catch(() => undefined)
if (code !== 0 || text === undefined) {
  console.error(`Stryker ended with ${code} and ${text === undefined ? 'no' : 'a'} report`)
  process.exitCode = 1
}
if (text !== undefined) {
  const scores = scoresOf(JSON.parse(text) as Report).filter(({ area }) => areas.includes(area))
  for (const { area, changes, noticed, percent, isEnough } of scores) {
    console.log(`${isEnough ? 'ok  ' : 'FAIL'} ${area}: ${percent} % (${noticed} of ${changes})`)
  }
  const failed = scores.filter(({ isEnough }) => !isEnough).length
  // A summary in the same form as the summaries of the other checks, for programs that read it.
  console.log(`each area must reach ${BAR} %\n${scores.length - failed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}
