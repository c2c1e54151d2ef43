import type { CliContext } from '../context.ts'
import type { ExitCode } from '../exit-codes.ts'

/** Runs a command's work in a context, and sets its exit code. */
export type Run = (work: (context: CliContext) => Promise<ExitCode | void>) => Promise<void>
