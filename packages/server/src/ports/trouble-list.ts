/** A problem that occurred in this process, at least once. Only its code identifies the problem. */
export interface Trouble {
  /** `alert`: an operator must act, as its runbook says. `failure`: the service tries again. */
  readonly kind: 'alert' | 'failure'
  /** The alert's code, or the step that failed. */
  readonly code: string
  readonly count: number
  readonly lastAtMs: number
}

/** The problems since the process started, the newest first. */
export type TroubleList = () => readonly Trouble[]
