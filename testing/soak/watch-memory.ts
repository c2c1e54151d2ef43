import { residentBytes } from '../stage/service-process.ts'
import type { Stage } from '../stage/open-stage.ts'

const EVERY_MS = 1_000
/** Number of samples for each median. A single sample would depend on the garbage collection. */
const AROUND = 9

export interface MemoryReport {
  /** Memory of all processes of the service, including the provers, in bytes. */
  readonly atQuarter: number
  readonly atEnd: number
  readonly ratio: number
}

const middle = (numbers: readonly number[]): number =>
  [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0

/** Samples the memory of the service's processes until the report is requested. */
export function watchMemory({ api, workers }: Stage, share: () => number) {
  const samples: { share: number; bytes: number }[] = []
  const timer = setInterval(() => {
    const pids = [api, ...workers].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
    void Promise.all(pids.map(residentBytes)).then((each) =>
      samples.push({ share: share(), bytes: each.reduce((sum, one) => sum + one, 0) }),
    )
  }, EVERY_MS)
  return {
    stop(): MemoryReport {
      clearInterval(timer)
      const quarter = Math.max(
        0,
        samples.findIndex((one) => one.share >= 0.25),
      )
      const from = Math.max(0, quarter - Math.floor(AROUND / 2))
      const atQuarter = middle(samples.slice(from, from + AROUND).map(({ bytes }) => bytes))
      const atEnd = middle(samples.slice(-AROUND).map(({ bytes }) => bytes))
      return { atQuarter, atEnd, ratio: atEnd / atQuarter }
    },
  }
}
