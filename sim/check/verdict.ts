/** A rule that a run broke. */
export interface Violation {
  readonly atMs: number
  readonly rule: string
  readonly detail: string
}

/** Reports a broken rule; the first one ends the run. */
export type Fail = (rule: string, detail: string) => void
