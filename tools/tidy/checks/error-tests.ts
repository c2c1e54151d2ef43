import type { TidyCheck } from '../tree.ts'
import { untested } from './invariant-tests.ts'

const CODES = 'packages/protocol/src/program/generated/error-codes.ts'
const PAGE = 'program/ERRORS.md'

/** Every error of the on-chain program is on the page of errors, with an existing test. */
export const errorTests: TidyCheck = {
  name: 'error-tests',
  why: `An error without a test is dead code or an untested attack. Run "npx tsx program/list-errors.ts", which writes ${PAGE}, and write the missing test.`,
  run: (tree) => {
    const codes = tree.files.find(({ path }) => path === CODES)?.text ?? ''
    const errors = [...codes.matchAll(/code: (\d+),\s+name: '(\w+)'/g)]
    if (errors.length === 0) return [{ path: CODES, problem: 'names no error' }]
    const page = tree.files.find(({ path }) => path === PAGE)
    if (page === undefined) return [{ path: PAGE, problem: 'is missing' }]
    const lines = page.text.split('\n')
    return errors.flatMap(([, code = '', name = '']) => {
      const row = new RegExp(`^\\| E${code} +\\| ${name} `)
      const index = lines.findIndex((line) => row.test(line))
      if (index < 0) return [{ path: PAGE, problem: `says nothing of ${code} ${name}` }]
      return untested(tree, PAGE, { name, line: index + 1, text: lines[index] ?? '' })
    })
  },
}
