import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'
import type { TraceLine } from '../time/trace.ts'
import { runJob } from './run-job.ts'
import type { Failure } from './totals.ts'

const LINES_MAX = 40

/**
 * Finds the kinds of faults that a failure needs, and the command that reproduces the failure. Returns the lines to
 * print. They include the last events of the run with the fewest kinds of faults. Each event has its time, its actor
 * and its name. Reads are left out.
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
    `seed ${seed} broke the rule: ${rule}`,
    `to replay it: ${[...replay, `--without ${without.join(',')}`, '--trace'].join(' ')}`,
    `kinds of faults that the failure needs: ${needed.length > 0 ? needed.join(', ') : 'none'}`,
    ...lines.filter(isTelling).slice(-LINES_MAX).map(renderLine),
  ]
}

const READS = /\.(read|list|open|find|count|record(Books|Liquidity)|has)|^failed/

/**
 * True for events that change something. `store.tryRecord` is left out, because workers call it in every round. The
 * trace has a separate event for each status change that it makes.
 */
const isTelling = ({ what }: TraceLine): boolean => !READS.test(what) && what !== 'store.tryRecord'

export const renderLine = ({ atMs, who, what }: TraceLine): string =>
  `${(atMs / 1_000 - 1_800_000_000).toFixed(1).padStart(10)} s  ${who}  ${what}`
