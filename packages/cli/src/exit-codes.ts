/**
 * The exit codes of commands, for scripts. New codes may be added, but existing codes never change. docs/cli.md
 * explains each code.
 */
export const EXIT = {
  done: 0,
  /** An internal error, or another error that has no exit code of its own. */
  failure: 1,
  /** The command can't run with these arguments. */
  usage: 2,
  /** A setting, key or file is missing or wrong. */
  config: 3,
  /**
   * The service, the node or the command itself refuses the payment. If nothing changes, the same command would be
   * refused again.
   */
  refused: 4,
  /** There was no response, or the refusal is temporary. Try the same command again. */
  unavailable: 5,
  /**
   * The order differs from the request, or the program is unknown. Or service and chain disagree, the money is overdue,
   * or nothing shows any more how the transfer ended. The command signed nothing after it found this.
   */
  unsafe: 6,
  /** The transfer ended without a delivery: refunded, expired or not paid. Or a line of a list was refused. */
  undelivered: 7,
  /** The user declined, or a limit of the user did: `--max-fee`, `--min-out` or a fee that was shown. */
  declined: 8,
  /**
   * The note can't be settled in this way now. For example, it is too early or too late, the note was already settled,
   * or its deposit was never made.
   */
  unsettleable: 9,
  /** `doctor` found a fault. */
  unhealthy: 10,
  /** A transfer is unfinished. Continue it instead of beginning it once more. */
  unfinished: 11,
  /** Ctrl-C. An unfinished transfer can be resumed. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
