// Prints the slowest test files of vitest's JSON reports, with their seconds. A report that is missing is left out,
// because the run that should have written it has already failed.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The `most` slowest files of parsed reports, the slowest first. Names are relative to `root`. */
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
