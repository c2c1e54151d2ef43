import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'
import type { TraceLine } from '../time/trace.ts'
import { runJob } from './run-job.ts'
import type { Failure } from './totals.ts'

const LINES_MAX = 40

/**
 * Finds out which kinds of faults a failure needs, and how to see it again. Names only: the trace of
 * the run with the fewest faults, without the looks that change nothing.
 */
export async function explainFailure(
  { seed, rule }: Failure,
  mutant: string | undefined,
): Promise<string[]> {
  let least: RunResult | undefined
  const job = { seeds: [seed], without: [], isTraced: true, mutant, isExplained: true }
  await runJob(job, (report) => {
    if (report.kind === 'ran') least = report.result
  })
  if (least === undefined) return [`seed ${seed} could not be run`]
  const { faults, lines } = least
  const without = FAULT_KINDS.filter((kind) => faults[kind] === undefined)
  const needed = FAULT_KINDS.filter((kind) => faults[kind] !== undefined)
  const replay = ['npm run sim --', `--seed ${seed}`, ...(mutant ? [`--mutant ${mutant}`] : [])]
  return [
    `seed ${seed} broke: ${rule}`,
    `replay: ${[...replay, `--without ${without.join(',')}`, '--trace'].join(' ')}`,
    `needs: ${needed.length > 0 ? needed.join(', ') : 'no fault at all'}`,
    ...lines.filter(isTelling).slice(-LINES_MAX).map(renderLine),
  ]
}

const LOOK = /\.(read|list|open|find|count|record(Books|Liquidity)|has)|^failed/

/** What changes something. A step along the chain is one only with what it records. */
const isTelling = ({ what }: TraceLine): boolean => !LOOK.test(what) && what !== 'store.tryRecord'

export const renderLine = ({ atMs, who, what }: TraceLine): string =>
  `${(atMs / 1_000 - 1_800_000_000).toFixed(1).padStart(10)} s  ${who}  ${what}`
