/**
 * Ends the process with this code. Setting `process.exitCode` isn't enough: the embedded PostgreSQL
 * ends every process that loaded it with 0, whatever the bars say. Output to files and pipes is
 * written by then.
 */
export function endProcess(code: 0 | 1): never {
  process.exit(code)
}
