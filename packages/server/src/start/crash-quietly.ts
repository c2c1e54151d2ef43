import { systemClock } from '../adapters/clock/system-clock.ts'
import { lastWords } from '../adapters/log/last-words.ts'
import { EXIT } from './explain-failure.ts'

/**
 * Keeps secrets out of the output of a crashing process. The log shows only the kind of an uncaught error and its place
 * in the code, not its message. Node's diagnostic reports list the environment with its secrets, so they are switched
 * off even if NODE_OPTIONS enables them. Core dumps must be disabled in the system: `LimitCORE=0`, or `ulimit -c 0`.
 */
export function crashQuietly(): void {
  const { report } = process
  report.reportOnFatalError = false
  report.reportOnSignal = false
  report.reportOnUncaughtException = false
  // This option keeps the environment out of reports that are requested in other ways. The oldest supported Node
  // doesn't have this option.
  Object.assign(report, { excludeEnv: true })
  const end = (error: unknown): void => {
    process.stderr.write(lastWords(error, systemClock.nowMs()))
    process.exit(EXIT.failure)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
