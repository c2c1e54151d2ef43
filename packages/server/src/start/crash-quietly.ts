import { systemClock } from '../adapters/clock/system-clock.ts'
import { lastWords } from '../adapters/log/last-words.ts'
import { EXIT } from './explain-failure.ts'

/**
 * Keeps what a dying process holds out of what it leaves behind: an uncaught error is told by kind and
 * place, and Node's diagnostic reports, which list the environment with its secrets, are off whatever
 * NODE_OPTIONS says. A core dump is the system's to forbid: `LimitCORE=0`, or `ulimit -c 0`.
 */
export function crashQuietly(): void {
  const { report } = process
  report.reportOnFatalError = false
  report.reportOnSignal = false
  report.reportOnUncaughtException = false
  // Newer than the oldest Node that this runs on: for reports that somebody asks for in other ways.
  Object.assign(report, { excludeEnv: true })
  const end = (error: unknown): void => {
    process.stderr.write(lastWords(error, systemClock.nowMs()))
    process.exit(EXIT.failure)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}
