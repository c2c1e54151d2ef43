import { CommanderError } from 'commander'
import { buildCli } from './build-cli.ts'
import { openContext } from './context.ts'
import { EXIT } from './exit-codes.ts'
import { explainFailure } from './explain-failure.ts'
import { explainUnwritten, isClosedPipe } from './output/unwritten.ts'
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
// Don't stop a command whose output can't be written, because it may be paying. `output.written` reports the cause.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

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
const unwritten = await output.written()
// A reader such as `head` closes the pipe when it has read enough. That isn't an error.
if (unwritten !== undefined && !isClosedPipe(unwritten)) {
  output.failure(explainUnwritten(unwritten))
  if (process.exitCode === undefined || process.exitCode === EXIT.done)
    process.exitCode = EXIT.failure
}
// Exit now, because idle connections of fetch would keep the process alive for some seconds.
process.exit()
