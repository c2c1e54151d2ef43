import type { Clock } from '../../src/ports/clock.ts'

/** A clock that only the test moves. Its sleeps return immediately. */
export interface MovedClock extends Clock {
  readonly advanceMs: (ms: number) => void
  /** The requested sleeps, in milliseconds. */
  readonly slept: number[]
}

export function movedClock(startMs: number): MovedClock {
  let nowMs = startMs
  const slept: number[] = []
  return {
    nowMs: () => nowMs,
    sleep: async (ms) => void slept.push(ms),
    advanceMs: (ms) => void (nowMs += ms),
    slept,
  }
}
