import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'
import type { RunOptions } from '../run/world.ts'

/** Repeats a failing seed with fewer faults. Leaves out each kind of fault that the failure doesn't need. */
export async function leastRun(
  runSeed: (options: RunOptions) => Promise<RunResult>,
  seed: number,
): Promise<RunResult> {
  const first = await runSeed({ seed, without: new Set(), isTraced: false })
  const without = new Set(FAULT_KINDS.filter((kind) => first.faults[kind] === undefined))
  const isTraced = false
  for (const kind of FAULT_KINDS.filter((one) => !without.has(one))) {
    const tried = await runSeed({ seed, without: new Set([...without, kind]), isTraced })
    if (tried.violation?.rule === first.violation?.rule) without.add(kind)
  }
  return runSeed({ seed, without, isTraced: true })
}
