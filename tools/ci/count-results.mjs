// Reads the report of a test runner and prints "<passed> <failed>". A missing or empty report is a failure. If a fourth
// argument is given, writes the failures to the file with this path. The end of the CI log shows that file.
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Counts the results from the runner's `exitCode` and its output `text`, by the rule for the kind of runner. */
export function countResults(kind, exitCode, text) {
  const { passed, failed } = readers[kind](text, exitCode)
  const ranNothing = passed + failed === 0
  // A runner can fail although no test failed, for example after a crash or at a time limit. This counts as one
  // failure.
  const endedBadly = exitCode !== 0 && failed === 0
  return { passed, failed: failed + (ranNothing || endedBadly ? 1 : 0) }
}

/**
 * Describes the failures of a run. For vitest: each failed test with its messages. For other runners: the last lines
 * of the output.
 */
export function describeFailures(kind, text) {
  if (kind !== 'vitest' || text === '') return text.split('\n').slice(-40).join('\n')
  const described = JSON.parse(text).testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0)
      return file.status === 'failed' ? [`${file.name}\n${file.message}`] : []
    return failed.map((test) =>
      [`${file.name} > ${test.fullName}`, ...test.failureMessages].join('\n'),
    )
  })
  return described.map((failure) => failure.slice(0, 3_000)).join('\n\n')
}

const readers = {
  vitest: (text) => {
    if (text === '') return { passed: 0, failed: 0 }
    const report = JSON.parse(text)
    // If vitest can't load a test file, the file counts as failed, but the report has no failed test for it.
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    )
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }
  },
  cargo: (text) => sum(text, /^test result: \w+\. (\d+) passed; (\d+) failed;/gm),
  check: (text) => sum(text, /^(\d+) passed, (\d+) failed$/gm),
  // The demo exits with 0 only if every balance is exact, so its exit code is its only result.
  demo: oneResult,
  // The fuzzer exits with 0 only if every answer was as documented.
  fuzz: oneResult,
  // The soak test exits with 0 only if every order is final and every balance is exact.
  soak: oneResult,
}

function oneResult(text, exitCode) {
  return exitCode === 0 && /\S/.test(text) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function sum(text, pattern) {
  const total = { passed: 0, failed: 0 }
  for (const [, passed, failed] of text.matchAll(pattern)) {
    total.passed += Number(passed)
    total.failed += Number(failed)
  }
  return total
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [kind, exitCode, file, failures] = process.argv.slice(2)
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const { passed, failed } = countResults(kind, Number(exitCode), text)
  if (failures !== undefined && failed > 0) {
    fs.appendFileSync(failures, `\n== failures of ${kind}\n${describeFailures(kind, text)}\n`)
  }
  console.log(`${passed} ${failed}`)
}
