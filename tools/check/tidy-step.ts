import { repositoryRoot } from '../bootstrap/paths.mjs'
import { tidyChecks } from '../tidy/checks.ts'
import { listTestTitles } from '../tidy/test-titles.ts'
import { readTree, type Finding } from '../tidy/tree.ts'
import type { Outcome, Step } from './outcome.ts'

/** Checks the repository's own rules. Each rule has its own outcome. */
export const tidyStep: Step = {
  name: 'tidy',
  run: async () => {
    const tree = readTree(repositoryRoot, await listTestTitles(repositoryRoot))
    return tidyChecks.map((check) => {
      const problems = check.run(tree).map(renderFinding)
      const outcome: Outcome = { name: `tidy ${check.name}`, problems, why: check.why }
      return { ...outcome, note: `${tree.files.length} files` }
    })
  },
}

function renderFinding({ path, line, problem }: Finding): string {
  return line === undefined ? `${path} ${problem}` : `${path}:${line} ${problem}`
}
