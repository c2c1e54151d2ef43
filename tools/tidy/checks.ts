import { alertRunbooks } from './checks/alert-runbooks.ts'
import { decisionNumbers } from './checks/decision-numbers.ts'
import { errorTests } from './checks/error-tests.ts'
import { generatedMarker } from './checks/generated-marker.ts'
import { attackTests, contractTests, invariantTests } from './checks/invariant-tests.ts'
import { lockfile } from './checks/lockfile.ts'
import { machinePaths } from './checks/machine-paths.ts'
import { markdownPaths } from './checks/markdown-paths.ts'
import type { TidyCheck } from './tree.ts'

/** Every check of the repository's own rules. A test shows for each check that it can fail. */
export const tidyChecks: TidyCheck[] = [
  machinePaths,
  lockfile,
  markdownPaths,
  decisionNumbers,
  invariantTests,
  attackTests,
  errorTests,
  alertRunbooks,
  contractTests,
  generatedMarker,
]
