import type { TidyCheck } from '../tree.ts'
import { untested } from './invariant-tests.ts'

const CODES = 'packages/protocol/src/program/generated/error-codes.ts'
const PAGE = 'program/ERRORS.md'

/** Checks that the page of errors lists every error of the on-chain program, each with a test that exists. */
export const errorTests: TidyCheck = {
  name: 'error-tests',
  why: `An error without a test is dead code or an untested attack. Run "npx tsx program/list-errors.ts", which writes ${PAGE}, and write the missing test.`,
  run: (tree) => {
    const codes = tree.files.find(({ path }) => path === CODES)?.text ?? ''
    const errors = [...codes.matchAll(/code: (\d+),\s+name: '(\w+)'/g)]
    if (errors.length === 0) return [{ path: CODES, problem: 'does not name any error' }]
    const page = tree.files.find(({ path }) => path === PAGE)
    if (page === undefined) return [{ path: PAGE, problem: 'is missing' }]
    const lines = page.text.split('\n')
    return errors.flatMap(([, code = '', name = '']) => {
      const row = new RegExp(`^\\| E${code} +\\| ${name} `)
      const index = lines.findIndex((line) => row.test(line))
      if (index < 0) return [{ path: PAGE, problem: `does not list ${code} ${name}` }]
      return untested(tree, PAGE, { name, line: index + 1, text: lines[index] ?? '' })
    })
  },
}
