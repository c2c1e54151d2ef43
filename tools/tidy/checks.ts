import { alertRunbooks } from './checks/alert-runbooks.ts'
import { barrels } from './checks/barrels.ts'
import { errorTests } from './checks/error-tests.ts'
import { fileLengthMedian } from './checks/file-length-median.ts'
import { fileLength } from './checks/file-length.ts'
import { functionLength } from './checks/function-length.ts'
import { generatedMarker } from './checks/generated-marker.ts'
import { attackTests, contractTests, invariantTests } from './checks/invariant-tests.ts'
import { kebabCase } from './checks/kebab-case.ts'
import { lockfile } from './checks/lockfile.ts'
import { machinePaths } from './checks/machine-paths.ts'
import { markdownPaths } from './checks/markdown-paths.ts'
import { tellingNames } from './checks/telling-names.ts'
import { unfinishedMarks } from './checks/unfinished-marks.ts'
import type { TidyCheck } from './tree.ts'

/** Every check of the repository's own order. A test shows for each that it can fail. */
export const tidyChecks: TidyCheck[] = [
  fileLength,
  fileLengthMedian,
  functionLength,
  kebabCase,
  tellingNames,
  barrels,
  unfinishedMarks,
  machinePaths,
  lockfile,
  markdownPaths,
  invariantTests,
  attackTests,
  errorTests,
  alertRunbooks,
  contractTests,
  generatedMarker,
]
