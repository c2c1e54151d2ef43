import type { Mutant } from '../mutants/mutant.ts'
import { MUTANTS } from '../mutants/mutants.ts'
import type { Options } from './options.ts'
import { runJob } from './run-job.ts'

/** The result for one planted bug. */
export interface MutantVerdict {
  readonly name: string
  /** The seed that found the bug, and the broken rule; undefined if no seed found the bug. */
  readonly foundBy: { readonly seed: number; readonly rule: string } | undefined
  readonly seedsMax: number
}

/** Runs seeds with a planted bug until a seed finds the bug. */
export async function huntMutant({ name, seedsMax }: Mutant, from: number): Promise<MutantVerdict> {
  const seeds = Array.from({ length: seedsMax }, (_, index) => from + index)
  let foundBy: MutantVerdict['foundBy']
  await runJob({ seeds, without: [], isTraced: false, mutant: name, isBrief: true }, (report) => {
    if (report.kind === 'threw') foundBy ??= { seed: report.seed, rule: report.message }
    const violation = report.kind === 'ran' ? report.result.violation : undefined
    if (report.kind === 'ran' && violation !== undefined) {
      foundBy ??= { seed: report.result.seed, rule: violation.rule }
    }
  })
  return { name, foundBy, seedsMax }
}

/**
 * Runs the simulator with every known bug, one bug at a time. Fails if a bug isn't found within its number of seeds.
 */
export async function runMutants({ from, json, processes }: Options): Promise<0 | 1> {
  const verdicts: MutantVerdict[] = []
  const waiting = [...MUTANTS]
  const take = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const verdict = await huntMutant(next, from)
      verdicts.push(verdict)
      if (!json) console.log(describe(verdict))
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, processes) }, take))
  const missed = verdicts.filter(({ foundBy }) => foundBy === undefined)
  const summary = { mutants: verdicts.length, missed: missed.map(({ name }) => name), verdicts }
  console.log(
    json
      ? JSON.stringify(summary)
      : `${verdicts.length} mutants, ${missed.length} of them not found`,
  )
  return missed.length === 0 ? 0 : 1
}

function describe({ name, foundBy, seedsMax }: MutantVerdict): string {
  if (foundBy === undefined) return `${name}: NOT FOUND within ${seedsMax} seeds`
  return `${name}: found by seed ${foundBy.seed} (${foundBy.rule})`
}
