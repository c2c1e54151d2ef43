import type { TidyCheck } from '../tree.ts'
import { untested } from './invariant-tests.ts'

const CODES = 'packages/protocol/src/program/generated/error-codes.ts'
const PAGE = 'program/ERRORS.md'

/** Every error of the on-chain program stands on the page of errors beside a test that is there. */
export const errorTests: TidyCheck = {
  name: 'error-tests',
  why: `An error that nothing provokes is dead code, or a way in that nobody tried. Run "npx tsx program/list-errors.ts", which writes ${PAGE}, and write the test that it lacks.`,
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
