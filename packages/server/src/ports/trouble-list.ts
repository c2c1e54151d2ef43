/** A problem that has occurred in this process at least once. It is identified only by its kind and code. */
export interface Trouble {
  /**
   * `alert`: an operator must act, as the alert's runbook says. `failure`: the service tries again without an operator.
   */
  readonly kind: 'alert' | 'failure'
  /** The alert's code, or the step that failed. */
  readonly code: string
  readonly count: number
  readonly lastAtMs: number
}

/** Returns the problems since the process started, the most recent first. */
export type TroubleList = () => readonly Trouble[]
