import { setTimeout as sleep } from 'node:timers/promises'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Stage } from '../stage/open-stage.ts'

const PAUSE_MS = { least: 3_000, most: 7_000 }
/** On average, one of this many kills hits the API. All other kills hit a worker. */
const API_EVERY = 5

export interface Killer {
  readonly stop: () => Promise<void>
}

/** Kills a process of the service every few seconds; its supervisor starts it again. */
export function startKiller({ api, workers }: Stage, seed: number): Killer {
  const random = new SeededRandom(`kills/${seed}`)
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    for (;;) {
      const pauseMs = random.between(PAUSE_MS.least, PAUSE_MS.most)
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      // On a busy machine, a start takes longer than the pause between kills. Without this check, no process would ever
      // become ready.
      if (![api, ...workers].every(({ isReady }) => isReady)) continue
      const victim = random.below(API_EVERY) === 0 ? api : random.pick(workers)
      victim.kill()
    }
  }
  const done = run()
  return {
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}
