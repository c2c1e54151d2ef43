import type { Clock } from '../../ports/clock.ts'

/** How long a client waits for nodes that limit requests. */
export interface Patience {
  /** The waits for all the client's requests may add up to at most this many milliseconds. */
  readonly totalMs: number
  /** Called before each wait. */
  readonly waiting: (ms: number) => void
}

/** The nodes' limits. */
interface LimitedNodes {
  /** Milliseconds until a node that limits requests accepts the next one; 0 if no node limits requests. */
  readonly limitedMs: (method: string) => number
}

type Ask = <Result>(method: string, ask: () => Promise<Result>) => Promise<Result>

/**
 * Creates a function that repeats a failed request if the nodes limit requests. Before it repeats the request, it waits
 * until a node accepts requests again. A request that fails for another reason isn't repeated.
 */
export function patiently(
  nodes: LimitedNodes,
  { totalMs, waiting }: Patience,
  clock: Pick<Clock, 'sleep'>,
): Ask {
  let leftMs = totalMs
  return async (method, ask) => {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        const waitMs = nodes.limitedMs(method)
        if (waitMs === 0 || waitMs > leftMs) throw error
        leftMs -= waitMs
        waiting(waitMs)
        await clock.sleep(waitMs)
      }
    }
  }
}
