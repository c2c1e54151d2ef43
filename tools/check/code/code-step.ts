import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome, Step } from '../outcome.ts'
import { runCaptured } from '../run-tool.ts'

/** A check of the sources that uses their types. */
export type CodeCheck = 'lint' | 'types' | 'page-types' | 'web-types'

const WHY: Readonly<Record<CodeCheck, string>> = {
  lint: 'eslint.config.js and tools/lint give the reason for each rule.',
  types: 'The whole repository must pass the type checker.',
  'page-types': 'The browser example must compile with the types of browsers only.',
  'web-types': 'The pages must compile with the types of browsers only.',
}

export const CODE_CHECKS = Object.keys(WHY) as readonly CodeCheck[]

/**
 * Enlarges the garbage collector's memory for new objects. Syntax trees exist for a long time. With the default size,
 * garbage collection would take a fifth of the time.
 */
const ROOM = ['--max-semi-space-size=128']
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Runs these checks as one step in one process, because the linter uses the types that the compiler computes. */
export function codeStep(checks: readonly CodeCheck[]): Step {
  return {
    name: checks.join('+'),
    run: async () => {
      const args = [...ROOM, '--import', 'tsx', MAIN, ...checks]
      const { code, output } = await runCaptured(process.execPath, args)
      if (code !== 0) throw new Error(`${path.basename(MAIN)} ended with code ${code}: ${output}`)
      return (JSON.parse(output) as [CodeCheck, string][]).map(outcomeOf)
    },
  }
}

function outcomeOf([name, problems]: [CodeCheck, string]): Outcome {
  return { name, problems: problems === '' ? [] : [problems], why: WHY[name] }
}
