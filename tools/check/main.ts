// `npm run check`: all checks of the repository that need no running service. Steps run in sequence,
// because each can use all of a small machine. All steps run, so that one run shows every failure.
import { auditStep } from './audit-step.ts'
import { dependenciesStep } from './dependencies-step.ts'
import { generatedStep } from './generated-step.ts'
import { importsStep } from './imports-step.ts'
import type { Outcome, Step } from './outcome.ts'
import { renderCount, renderOutcome } from './report.ts'
import { toolStep } from './run-tool.ts'
import { rustStep } from './rust-step.ts'
import { tidyStep } from './tidy-step.ts'

const steps: Step[] = [
  toolStep(
    'format',
    'prettier/bin/prettier.cjs',
    ['--check', '--log-level=warn', '.'],
    'With one format for all, a diff shows only real changes. Run "npm run format".',
  ),
  toolStep(
    'lint',
    'eslint/bin/eslint.js',
    ['--max-warnings=0', '.'],
    'eslint.config.js and tools/lint give the reason for each rule.',
  ),
  toolStep('types', 'typescript/bin/tsc', ['--noEmit'], 'The types must hold everywhere.'),
  toolStep(
    'page-types',
    'typescript/bin/tsc',
    ['--noEmit', '-p', 'examples/browser'],
    'The browser example must compile with the types of browsers only.',
  ),
  toolStep(
    'web-types',
    'typescript/bin/tsc',
    ['--noEmit', '-p', 'packages/web'],
    'The pages must compile with the types of browsers only.',
  ),
  importsStep,
  tidyStep,
  rustStep,
  dependenciesStep,
  auditStep,
  generatedStep,
]

async function runStep(step: Step): Promise<Outcome[]> {
  try {
    return await step.run()
  } catch (error) {
    // A step that crashed checked nothing; the others still report their results.
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return [{ name: step.name, problems: [`could not run: ${reason}`] }]
  }
}

const only = process.argv.slice(2)
const unknown = only.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  const names = steps.map((step) => step.name).join(', ')
  console.error(`Unknown step "${unknown.join(' ')}". Steps: ${names}; without a step, all run.`)
  process.exit(2)
}

const outcomes: Outcome[] = []
for (const step of steps) {
  if (only.length > 0 && !only.includes(step.name)) continue
  const found = await runStep(step)
  for (const outcome of found) console.log(renderOutcome(outcome))
  outcomes.push(...found)
}
console.log(`\n${renderCount(outcomes)}`)
process.exitCode = outcomes.some((outcome) => outcome.problems.length > 0) ? 1 : 0
