import { SottoApiError } from '@sotto/sdk/server'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The service refuses requests with these error codes after the clock was moved. The refusals end when its workers have
 * noticed the change.
 */
const PASSING: readonly string[] = ['LIQUIDITY_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE']
const PAUSE_MS = 300
const TRIES = 100

/** Repeats work as long as the service hasn't noticed that the clock was moved. The work must be repeatable. */
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
