import type { Chain, ChainHead } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'

interface Asked {
  readonly head: Promise<ChainHead>
  readonly askedAtMs: number
}

/**
 * Lets whoever doesn't need the newest head share one that was asked for not long ago: a node is asked
 * a few times a second, however many orders are made. The next one is asked for when half of the time
 * is over, so that on a busy service nobody waits for a node that answers in the other half.
 */
export function withHeadCache(chain: Chain, clock: Clock): Chain {
  let newest: Asked | undefined
  let next: Asked | undefined
  const ask = (askedAtMs: number): Asked => {
    const asked = { head: chain.readHead(), askedAtMs }
    // A failure is told to whoever waits for it, and kept for nobody.
    asked.head.catch(() => {
      if (newest === asked) newest = undefined
      if (next === asked) next = undefined
    })
    return asked
  }
  const askNext = (askedAtMs: number): void => {
    const asked = ask(askedAtMs)
    next = asked
    asked.head.then(
      () => {
        if (next !== asked) return
        newest = asked
        next = undefined
      },
      () => undefined,
    )
  }
  return {
    ...chain,
    readHead: (ageMaxMs = 0) => {
      const nowMs = clock.nowMs()
      const ageOf = ({ askedAtMs }: Asked) => nowMs - askedAtMs
      const isYoung = (asked: Asked | undefined): asked is Asked =>
        asked !== undefined && ageOf(asked) >= 0 && ageOf(asked) < ageMaxMs
      if (isYoung(newest)) {
        if (ageOf(newest) >= ageMaxMs / 2 && !isYoung(next)) askNext(nowMs)
        return newest.head
      }
      newest = isYoung(next) ? next : ask(nowMs)
      next = undefined
      return newest.head
    },
  }
}
