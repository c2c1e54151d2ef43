import { setTimeout as sleep } from 'node:timers/promises'
import { readRentHeld } from '../../demo/src/rent-held.ts'
import type { Ground } from '../stage/open-ground.ts'

/** Past the time from which Orders, and later Nullifiers, may be closed. */
const PAST_CLOSING_SECONDS = 63 * 86_400
/** Workers check once in each hour of the chain; an account that takes longer was forgotten. */
const PATIENCE_MS = 120_000
const POLL_MS = 500

/**
 * Lets the accounts of all transfers become closable and waits until none is left; returns those that remain.
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
