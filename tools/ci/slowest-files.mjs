// Prints the slowest test files in vitest's JSON reports, with their seconds. Ignores a missing report, because the run
// without a report has already counted as failed.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The slowest files in parsed reports, at most `most` of them, sorted from the slowest. Names are relative to `root`.
 */
export function slowestFiles(reports, root, most) {
  return reports
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime }) => ({
      file: path.relative(root, name),
      seconds: Math.round((endTime - startTime) / 1_000),
    }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, most)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const reports = process.argv
    .slice(2)
    .filter((file) => fs.existsSync(file))
    .map((file) => JSON.parse(fs.readFileSync(file, 'utf8')))
  for (const { file, seconds } of slowestFiles(reports, process.cwd(), 10)) {
    console.log(`${String(seconds).padStart(5)} s  ${file}`)
  }
}
