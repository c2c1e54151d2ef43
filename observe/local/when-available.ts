import { SottoApiError } from '@sotto/sdk/server'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The codes with which the service refuses requests until its workers have noticed that the clock
 * was moved.
 */
const PASSING: readonly string[] = ['LIQUIDITY_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE']
const PAUSE_MS = 300
const TRIES = 100

/** Repeats repeatable work until the service has caught up with the clock. */
export async function whenAvailable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const isPassing = error instanceof SottoApiError && PASSING.includes(error.code)
      if (!isPassing || tries >= TRIES) throw error
      await sleep(PAUSE_MS)
    }
  }
}
