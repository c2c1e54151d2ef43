import { alertRunbooks } from './checks/alert-runbooks.ts'
import { decisionNumbers } from './checks/decision-numbers.ts'
import { errorTests } from './checks/error-tests.ts'
import { generatedMarker } from './checks/generated-marker.ts'
import { attackTests, contractTests, invariantTests } from './checks/invariant-tests.ts'
import { lockfile } from './checks/lockfile.ts'
import { machinePaths } from './checks/machine-paths.ts'
import { markdownPaths } from './checks/markdown-paths.ts'
import type { TidyCheck } from './tree.ts'

/** All checks of the repository's own rules. For each check, a test shows that the check can fail. */
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
