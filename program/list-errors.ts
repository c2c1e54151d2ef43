/**
 * Writes program/ERRORS.md: for every error of the program, a test in which the built program returns it. If the
 * built program can't be made to return an error, the page names a Rust test. The script runs the program's tests,
 * which takes a few minutes. Run it with tsx.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderErrors, type NamedTest } from './tests/fixtures/errors-page.ts'

interface Noted extends NamedTest {
  readonly errors: readonly string[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'sotto-errors-'))
const record = path.join(folder, 'errors')
// Excludes the random tests, because they might not provoke the same errors in the next run. Excludes
// error-coverage.test.ts, because it checks the page that this script writes.
const left = ['random/**', 'books.test.ts', 'misuse.test.ts', 'error-coverage.test.ts']
const excluded = left.flatMap((name) => ['--exclude', `program/tests/${name}`])
const words = ['run', 'program/tests', ...excluded, '--maxWorkers=1']
const { status } = spawnSync(
  process.execPath,
  [path.join(root, 'node_modules/vitest/vitest.mjs'), ...words],
  { cwd: root, stdio: 'inherit', env: { ...process.env, SOTTO_RECORD_ERRORS: record } },
)
if (status !== 0) throw new Error('the tests fail: correct them first')

const noted = readFileSync(record, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Noted)
  .filter(({ file, title }) => readFileSync(path.join(root, file), 'utf8').includes(title))
  .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
const found = new Map<string, NamedTest>()
for (const { file, title, errors } of noted) {
  for (const error of errors) if (!found.has(error)) found.set(error, { file, title })
}
writeFileSync(path.join(root, 'program/ERRORS.md'), renderErrors(found))
rmSync(folder, { recursive: true })

/** The sort key of a test. Tests directly in the folder come first, because they are the simplest. */
function orderOf({ file, title }: NamedTest): string {
  return `${file.split('/').length} ${file} ${title}`
}
