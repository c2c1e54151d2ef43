import type { Finding, TidyCheck, Tree } from '../tree.ts'
import { untested } from './invariant-tests.ts'

const CODES = 'packages/server/src/domain/log-names.ts'
const SECTIONS = ['Cause', 'Look', 'Do', 'Verify', 'Drill'] as const

/** Checks that every alert of settlement has a page with instructions, and a drill that tests the alert. */
export const alertRunbooks: TidyCheck = {
  name: 'alert-runbooks',
  why: 'An alert without instructions is useless. Each alert code has a page in docs/runbooks/. Under "## Drill", the page names a test file and, in quotes, a test that raises the alert and recovers from it.',
  run: (tree) => {
    const text = tree.files.find(({ path }) => path === CODES)?.text ?? ''
    const list = /ALERT_CODES = \[(.*?)\] as const/s.exec(text)?.[1] ?? ''
    const codes = [...list.matchAll(/^\s*'([a-z_]+)',$/gm)].map(([, code = '']) => code)
    if (codes.length === 0) return [{ path: CODES, problem: 'does not name any alert' }]
    return codes.flatMap((code) => pageProblems(tree, code))
  },
}

function pageProblems(tree: Tree, code: string): Finding[] {
  const path = `docs/runbooks/${code.replaceAll('_', '-')}.md`
  const page = tree.files.find((file) => file.path === path)
  if (page === undefined) return [{ path, problem: `is missing: the alert ${code} has no runbook` }]
  const missing = SECTIONS.filter((title) => !page.text.includes(`\n## ${title}\n`))
  const drill = page.text.split('\n## Drill\n')[1] ?? ''
  return [
    ...missing.map((title) => ({ path, problem: `has no section "## ${title}"` })),
    ...untested(tree, path, { name: code, line: 1, text: drill }),
  ]
}
