import { CommanderError } from 'commander'
import { buildCli } from './build-cli.ts'
import { openContext } from './context.ts'
import { EXIT } from './exit-codes.ts'
import { explainFailure } from './explain-failure.ts'
import { openOutput, type Output } from './output/output.ts'
import { readEnvironment } from './settings/environment.ts'
import { readSettings } from './settings/settings.ts'

const interruption = new AbortController()
let output: Output = openOutput({}, process)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second Ctrl-C exits immediately. This loses nothing, because all important state is on the disk.
    if (interruption.signal.aborted) process.exit(EXIT.interrupted)
    output.progress.stopping()
    interruption.abort()
  })
}
// A reader such as `head` closes the pipe when it has read enough. That isn't an error.
process.stdout.on('error', () => process.exit(EXIT.done))

const program = buildCli(
  (options) => {
    output = openOutput(options, process)
    return openContext(readSettings(options, readEnvironment()), output, interruption.signal)
  },
  (code) => {
    process.exitCode = code
  },
)

try {
  await program.parseAsync()
} catch (error) {
  // Commander throws after it has printed the help. That isn't an error.
  if (error instanceof CommanderError && error.exitCode === 0) process.exitCode = EXIT.done
  else {
    const failure = explainFailure(error, interruption.signal.aborted)
    output.failure(failure)
    process.exitCode = failure.exitCode
  }
}
// Exit now, because idle connections of fetch would keep the process alive for some seconds.
process.exit()
