/**
 * `npx tsx e2e/record/compare.ts FIRST SECOND`: lists the differences in form between the answers of two recorded
 * runs. Exit codes: 0 for no difference, 1 for differences, 2 for a wrong command line.
 */
import { readFile } from 'node:fs/promises'
import { differingForms, type Forms } from './forms.ts'

const [first, second, ...others] = process.argv.slice(2)
if (first === undefined || second === undefined || others.length > 0) {
  process.stderr.write('Give two files that npm run e2e -- --record wrote.\n')
  process.exitCode = 2
} else {
  const read = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Forms
  const lines = differingForms(await read(first), await read(second))
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
  process.exitCode = lines.length === 0 ? 0 : 1
}
