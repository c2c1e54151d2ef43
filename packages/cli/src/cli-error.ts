import type { ExitCode } from './exit-codes.ts'

/** The reason why a command failed, and what the user should do next. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: ExitCode
  /** The code is stable, so scripts can branch on it. */
  readonly code: string
  readonly next: string
  /**
   * True if a payment was sent and its outcome is unknown. The user must learn this even if they stopped the command.
   */
  readonly isSent: boolean

  constructor(
    exitCode: ExitCode,
    code: string,
    message: string,
    next: string,
    options: { readonly cause?: unknown; readonly isSent?: boolean } = {},
  ) {
    super(message, options)
    this.exitCode = exitCode
    this.code = code
    this.next = next
    this.isSent = options.isSent === true
  }
}
