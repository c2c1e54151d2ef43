/** How a command ended, for scripts. Append-only; docs/cli.md says what to do about each. */
export const EXIT = {
  done: 0,
  /** An internal error; the message is for the maintainers. */
  failure: 1,
  /** Arguments that can't be carried out. */
  usage: 2,
  /** A setting, key or file is missing or wrong. */
  config: 3,
  /** The service refuses this request, and would again. */
  refused: 4,
  /** No answer, or a temporary refusal: the same command may be tried again. */
  unavailable: 5,
  /** The order isn't what was asked for, or service and chain disagree. Nothing was signed after that. */
  unsafe: 6,
  /** The transfer ended without a delivery: refunded, expired or not paid. */
  undelivered: 7,
  /** The person declined. */
  declined: 8,
  /** The note can't be settled this way now: too early, too late, settled already or never paid. */
  unsettleable: 9,
  /** `doctor` found something to fix. */
  unhealthy: 10,
  /** Ctrl-C. An unfinished transfer can be resumed. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
