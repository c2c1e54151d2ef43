import type { CliContext } from '../context.ts'
import type { ExitCode } from '../exit-codes.ts'

/** Runs a command's work with a context, and sets the command's exit code. */
export type Run = (work: (context: CliContext) => Promise<ExitCode | void>) => Promise<void>
