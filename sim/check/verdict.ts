/** A rule that a run broke, and when. */
export interface Violation {
  readonly atMs: number
  readonly rule: string
  readonly detail: string
}

/** Reports a broken rule. The first broken rule ends the run. */
export type Fail = (rule: string, detail: string) => void
