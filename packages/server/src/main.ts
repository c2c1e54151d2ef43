#!/usr/bin/env node
import { CommanderError } from 'commander'
import { registerBatchCommand } from './operator/batch-command.ts'
import {
  buildProgram,
  printResult,
  servedSettingsOf,
  settingsOf,
} from './operator/build-program.ts'
import { EXIT, explainFailure } from './start/explain-failure.ts'
import { withOpenedContext } from './operator/open-context.ts'
import { registerServeCommand } from './operator/serve-command.ts'

const program = buildProgram(
  (own) => (work) => withOpenedContext(settingsOf(own), printResult(own), work),
)
registerServeCommand(program, servedSettingsOf(program), printResult(program))
registerBatchCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the error. Help and version also reach this line, but they aren't errors.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage
  } else {
    const { lines, code } = explainFailure(error)
    console.error(lines)
    process.exitCode = code
  }
}
