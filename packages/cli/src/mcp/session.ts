import { sleep } from '../clock.ts'
import type { OpenDesk } from './open-desk.ts'
import { ToolError } from './tool-error.ts'

/**
 * Maximum time in milliseconds that a call waits for a payment or for the balance. Hosts usually time out a call
 * after a minute.
 */
export const WAIT_MS = 40_000

const SLOW = Symbol('slow')

/**
 * Returns the result of `work`. If `work` isn't done in time, calls `otherwise` and returns its result, or throws its
 * error. `work` continues in the background.
 */
export async function within<Result, Other>(
  work: Promise<Result>,
  ms: number,
  otherwise: () => Other,
): Promise<Result | Other> {
  const timer = new AbortController()
  const slow = sleep(ms, timer.signal).then(
    () => SLOW,
    () => SLOW,
  )
  try {
    const first = await Promise.race([work, slow])
    return first === SLOW ? otherwise() : (first as Result)
  } finally {
    timer.abort()
  }
}

/**
 * Opens the balance and the ledger at the first call that needs them, because hosts often start a server only to list
 * its tools. After a failure, the next call tries again.
 */
export class Session {
  readonly #open: () => Promise<OpenDesk>
  #opening: Promise<OpenDesk> | undefined

  constructor(open: () => Promise<OpenDesk>) {
    this.#open = open
  }

  /** @throws ToolError BALANCE_OPENING if an earlier payment hasn't ended after `WAIT_MS`. */
  async desk(): Promise<OpenDesk> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return within(this.#opening, WAIT_MS, () => {
      throw new ToolError(
        'BALANCE_OPENING',
        'the server still waits for the outcome of a payment of an earlier run, so that nothing is paid twice',
        'call the same tool again in a minute, with the same arguments',
      )
    })
  }

  /** Releases the balance and the ledger for other processes. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.close()
  }
}
