/**
 * The result of one check. The check passed if the list of problems is empty. `note` is a figure for the summary.
 * `skipped` gives the reason if nothing was checked; the check has then neither passed nor failed.
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
