import type { Clock } from '../ports/clock.ts'
import type { StepName } from '../domain/log-names.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'

/**
 * First and longest pause after failures, in milliseconds. Once an RPC node works again, the service uses it at the
 * latest after the longest pause.
 */
const BACK_OFF_FIRST_MS = 500
const BACK_OFF_MAX_MS = 30_000

/**
 * Shortest pause between two steps, in milliseconds. Partners can cause hints as often as they send requests. Without
 * this pause, one partner could make every worker read the chain without a pause.
 */
const HINTED_EVERY_MS = 100

export interface Loop {
  /**
   * Takes the next step as soon as the shortest pause since the last step has passed. The call has no effect during the
   * pause after a failure, so that a node or database that is down isn't asked more often.
   */
  readonly wake: () => void
  /** Resolves once the signal has aborted and the current step has ended. */
  readonly done: Promise<void>
}

/** Starts a loop. `everyMs` is the pause between its steps. */
export type StartLoop = (
  name: StepName,
  everyMs: number | (() => number),
  step: () => Promise<void>,
) => Loop

interface LoopOptions {
  readonly name: StepName
  /** The pause between two steps, in milliseconds. If it is a function, it is called after each step. */
  readonly everyMs: number | (() => number)
  readonly clock: Clock
  readonly log: SettlementLog
  readonly signal: AbortSignal
}

/**
 * Repeats a step until the signal aborts. If a step throws, the error is logged and the step is repeated after a pause.
 * The pause doubles with each failure, and hints don't shorten it. An error never ends the loop or the process.
 */
export function runLoop(options: LoopOptions, step: () => Promise<void>): Loop {
  const { clock, signal } = options
  let pause = new AbortController()
  // `AbortSignal.any` isn't used, because `signal` would keep the composite signal of every round in memory.
  signal.addEventListener('abort', () => pause.abort(), { once: true })
  let isHinted = false
  let canBeCut = false
  /** Pauses between two steps. A hint ends the pause, but not before the shortest pause is over. */
  const rest = async (waitMs: number) => {
    const startMs = clock.nowMs()
    canBeCut = true
    if (!isHinted) await clock.sleep(waitMs, pause.signal)
    canBeCut = false
    if (!isHinted || signal.aborted) return
    const leftMs = HINTED_EVERY_MS - (clock.nowMs() - startMs)
    if (leftMs <= 0) return
    pause = new AbortController()
    // If the clock was set back, `leftMs` may be large.
    await clock.sleep(Math.min(leftMs, HINTED_EVERY_MS, waitMs), pause.signal)
  }
  const run = async () => {
    let failures = 0
    while (!signal.aborted) {
      // An unused controller is reused in the next round. Otherwise every round of every loop would create a
      // controller.
      if (pause.signal.aborted) pause = new AbortController()
      isHinted = false
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
      if (failures === 0) await rest(usualMs)
      else await clock.sleep(Math.min(backOffMs, BACK_OFF_MAX_MS), pause.signal)
    }
  }
  const wake = () => {
    isHinted = true
    if (canBeCut) pause.abort()
  }
  return { wake, done: run() }
}
