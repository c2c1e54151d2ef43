import { setTimeout as sleep } from 'node:timers/promises'
import { readRentHeld } from '../../demo/src/rent-held.ts'
import type { Ground } from '../stage/open-ground.ts'

/** After this many seconds, all Orders and all Nullifiers may be closed. */
const PAST_CLOSING_SECONDS = 63 * 86_400
/**
 * Workers check for closable accounts once in each hour of the chain's time. If an account is still open after this
 * time, the workers don't close it.
 */
const PATIENCE_MS = 120_000
const POLL_MS = 500

/**
 * Advances the time until the accounts of all transfers can be closed, and waits until the workers have closed them.
 * Returns a violation if any account remains.
 */
export async function awaitRent({ chain, program, advance }: Ground): Promise<string[]> {
  await advance(PAST_CLOSING_SECONDS)
  for (let waited = 0; ; waited += POLL_MS) {
    const { orders, nullifiers } = await readRentHeld(chain, program)
    if (orders.size + nullifiers.size === 0) return []
    if (waited >= PATIENCE_MS) {
      return [`rent is still held for ${orders.size} senders and ${nullifiers.size} relayers`]
    }
    await sleep(POLL_MS)
  }
}
