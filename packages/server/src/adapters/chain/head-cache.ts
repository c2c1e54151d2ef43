import type { Chain, ChainHead } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Lets whoever doesn't need the newest head share one that was asked for not long ago: a node is asked
 * a few times a second, however many orders are made.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  let newest: { readonly head: Promise<ChainHead>; readonly askedAtMs: number } | undefined
  const read = (askedAtMs: number): Promise<ChainHead> => {
    const asked = { head: chain.readHead(), askedAtMs }
    newest = asked
    // A failure is told to whoever asked, and kept for nobody.
    asked.head.catch(() => {
      if (newest === asked) newest = undefined
    })
    return asked.head
  }
  return {
    ...chain,
    readHead: (ageMaxMs = 0) => {
      const nowMs = clock.nowMs()
      const ageMs = nowMs - (newest?.askedAtMs ?? nowMs)
      return newest !== undefined && ageMs >= 0 && ageMs < ageMaxMs ? newest.head : read(nowMs)
    },
  }
}
