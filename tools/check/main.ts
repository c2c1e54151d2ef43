// `npm run check`: runs all checks of the repository that need no running service. Two steps run at the same time,
// because most steps use one core. A failed step doesn't stop the other steps, so one run shows all failures.
import { auditStep } from './audit-step.ts'
import { dependenciesStep } from './dependencies-step.ts'
import { generatedStep } from './generated-step.ts'
import { importsStep } from './imports-step.ts'
import type { Outcome, Step } from './outcome.ts'
import { packagesStep } from './packages-step.ts'
import { renderCount, renderOutcome, renderTimes } from './report.ts'
import { runSteps, type StepResult } from './run-steps.ts'
import { toolStep } from './run-tool.ts'
import { rustStep } from './rust-step.ts'
import { tidyStep } from './tidy-step.ts'

/** Steps that only read the repository. The steps that take longest come first. */
const reading: Step[] = [
  toolStep(
    'lint',
    'oxlint/bin/oxlint',
    ['--config=oxlint.config.js', '--format=unix', '.'],
    'The whole repository must pass the linter and the type checker. oxlint.config.js and tools/lint give the reasons.',
  ),
  // The linter checks each file with one configuration only. So these steps check pages, and the packages that they
  // import, a second time: without the types of Node.
  toolStep(
    'page-types',
    'typescript-7/bin/tsc',
    ['--noEmit', '-p', 'examples/browser/tsconfig.json'],
    'The browser example and the packages that it imports must compile with the types of browsers only.',
  ),
  toolStep(
    'web-types',
    'typescript-7/bin/tsc',
    ['--noEmit', '-p', 'packages/web/tsconfig.json'],
    'The pages and the packages that they import must compile with the types of browsers only.',
  ),
  toolStep(
    'format',
    'oxfmt/bin/oxfmt',
    ['--check', '.'],
    'With one format for all files, a diff shows only real changes. Run "npm run format".',
  ),
  importsStep,
  packagesStep,
  tidyStep,
  rustStep,
  dependenciesStep,
  auditStep,
]
/**
 * The step that writes files and restores them. It runs alone, because another step could read a partly written file.
 * For the same reason, run no other programs in the checkout during this step.
 */
const writing: Step[] = [generatedStep]

const given = process.argv.slice(2)
/** The steps named after `--except` don't run. If no step is named before `--except`, all other steps run. */
const split = given.includes('--except') ? given.indexOf('--except') : given.length
const [only, except] = [given.slice(0, split), given.slice(split + 1)]
const names = [...reading, ...writing].map(({ name }) => name)
const unknown = [...only, ...except].filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(
    `Unknown step "${unknown.join(' ')}". Steps: ${names.join(', ')}; without a step, all run.`,
  )
  process.exit(2)
}

const outcomes: Outcome[] = []
const results: StepResult[] = []
const show = (result: StepResult): void => {
  for (const outcome of result.outcomes) console.log(renderOutcome(outcome))
  outcomes.push(...result.outcomes)
  results.push(result)
}
const isWanted = (name: string) =>
  (only.length === 0 || only.includes(name)) && !except.includes(name)
await runSteps(
  reading.filter(({ name }) => isWanted(name)),
  2,
  show,
)
await runSteps(
  writing.filter(({ name }) => isWanted(name)),
  1,
  show,
)
console.log(`\n${renderTimes(results)}\n${renderCount(outcomes)}`)
process.exitCode = outcomes.some((outcome) => outcome.problems.length > 0) ? 1 : 0
