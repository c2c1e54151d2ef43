/**
 * The result of one check. The check passed if `problems` is empty. `note` is a short text for the summary, such as a
 * count. `skipped` is the reason why nothing was checked. A skipped check counts separately from passes and failures.
 */
export type Outcome = {
  name: string
  problems: string[]
  note?: string
  why?: string
  skipped?: string
}

/** A group of checks that run together. */
export type Step = { name: string; run: () => Promise<Outcome[]> }
