// Runs the checks named on the command line. Prints each check's name and its problems, as JSON.
import { ESLint } from 'eslint'
import type ts from 'typescript'
import type { CodeCheck } from './code-step.ts'
import { compilerProblems, readProgram } from './read-program.ts'

const CONFIGS = {
  types: 'tsconfig.json',
  'page-types': 'examples/browser/tsconfig.json',
  'web-types': 'packages/web/tsconfig.json',
} as const

const programs = new Map<CodeCheck, ts.Program>()
function programOf(check: keyof typeof CONFIGS): ts.Program {
  const program = programs.get(check) ?? readProgram(CONFIGS[check])
  programs.set(check, program)
  return program
}

/**
 * Lints all files like `npm run lint -- --max-warnings=0`, but with the compiler programs that the type checks have
 * created.
 */
async function lintProblems(): Promise<string> {
  const all = Object.keys(CONFIGS).map((check) => programOf(check as keyof typeof CONFIGS))
  const eslint = new ESLint({
    overrideConfig: {
      files: ['**/*.ts', '**/*.tsx'],
      languageOptions: { parserOptions: { project: null, programs: all } },
    },
  })
  const results = await eslint.lintFiles(['.'])
  const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)
  return isClean ? '' : (await eslint.loadFormatter('stylish')).format(results)
}

const found: [CodeCheck, string][] = []
for (const check of process.argv.slice(2) as CodeCheck[]) {
  const problems = check === 'lint' ? await lintProblems() : compilerProblems(programOf(check))
  found.push([check, problems])
}
process.stdout.write(JSON.stringify(found))
