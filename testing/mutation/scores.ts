import { AREAS, BAR } from './areas.mjs'

/** Stryker's JSON report: the result for each mutant of each file. */
export interface Report {
  readonly files: Readonly<
    Record<string, { readonly mutants: readonly { readonly status: string }[] }>
  >
}

export interface Score {
  readonly area: string
  readonly changes: number
  readonly noticed: number
  /** A percentage with two decimals, rounded down, because rounding up could lift a score to the minimum. */
  readonly percent: string
  readonly isEnough: boolean
}

const NOTICED: readonly string[] = ['Killed', 'Timeout']
const MISSED: readonly string[] = ['Survived', 'NoCoverage']

/** The score of each area. An area without any mutant is a failure. */
export function scoresOf({ files }: Report): Score[] {
  return Object.entries(AREAS).map(([area, names]) => {
    const statuses = names.flatMap((name) => files[name]?.mutants ?? []).map((one) => one.status)
    const noticed = statuses.filter((status) => NOTICED.includes(status)).length
    const changes = noticed + statuses.filter((status) => MISSED.includes(status)).length
    const hundredths = changes === 0 ? 0 : Math.floor((10_000 * noticed) / changes)
    const percent = (hundredths / 100).toFixed(2)
    return { area, changes, noticed, percent, isEnough: hundredths >= BAR * 100 }
  })
}
