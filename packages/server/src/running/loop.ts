import type { Clock } from '../ports/clock.ts'
import type { StepName } from '../domain/log-names.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'

/**
 * First and longest pause after failures. Once an RPC node works again, the service uses it within the longest pause.
 */
const BACK_OFF_FIRST_MS = 500
const BACK_OFF_MAX_MS = 30_000

export interface Loop {
  /** Cuts the current pause short. */
  readonly wake: () => void
  /** Resolves once the step in progress has ended. */
  readonly done: Promise<void>
}

interface LoopOptions {
  readonly name: StepName
  /** The pause between two steps; a function is asked at the end of each step. */
  readonly everyMs: number | (() => number)
  readonly clock: Clock
  readonly log: SettlementLog
  readonly signal: AbortSignal
}

/**
 * Repeats a step until the signal aborts. A step that throws is reported and repeated after a pause; the pause
 * doubles with each failure. An error never ends the loop or the process.
 */
export function runLoop(options: LoopOptions, step: () => Promise<void>): Loop {
  const { clock, signal } = options
  let pause = new AbortController()
  // `AbortSignal.any` isn't used, because `signal` would keep every round's composite signal in memory.
  signal.addEventListener('abort', () => pause.abort(), { once: true })
  const run = async () => {
    let failures = 0
    while (!signal.aborted) {
      // An unused controller serves the next round too. Otherwise every round of every loop would create one.
      if (pause.signal.aborted) pause = new AbortController()
      try {
        await step()
        failures = 0
      } catch (error) {
        failures += 1
        options.log.failed(options.name, error)
      }
      const backOffMs = BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 16)
      const { everyMs } = options
      const usualMs = typeof everyMs === 'function' ? everyMs() : everyMs
      const waitMs = failures === 0 ? usualMs : Math.min(backOffMs, BACK_OFF_MAX_MS)
      await clock.sleep(waitMs, pause.signal)
    }
  }
  return { wake: () => pause.abort(), done: run() }
}
