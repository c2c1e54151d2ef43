import type { Chain } from '../../ports/chain.ts'
import type { PayeeState } from '../../ports/chain-settle.ts'
import type { Clock } from '../../ports/clock.ts'

/** Short, so that a wallet opened between two quotes is soon seen. */
const KEPT_MS = 5_000
/** Bounds memory: about 2 MB. */
const ENTRIES_MAX = 10_000

/** Keeps what was read of a recipient for some seconds: users ask for several quotes in a row. */
export function withRecipientCache(chain: Chain, clock: Clock): Chain {
  const known = new Map<string, { readonly state: PayeeState; readonly untilMs: number }>()
  return {
    ...chain,
    readRecipient: async (mint, wallet) => {
      const key = `${mint} ${wallet}`
      const entry = known.get(key)
      if (entry !== undefined && clock.nowMs() < entry.untilMs) return entry.state
      const state = await chain.readRecipient(mint, wallet)
      known.delete(key)
      // A Map keeps the order of insertion, so its first entry is the oldest.
      for (const oldest of known.keys()) {
        if (known.size < ENTRIES_MAX) break
        known.delete(oldest)
      }
      known.set(key, { state, untilMs: clock.nowMs() + KEPT_MS })
      return state
    },
  }
}
