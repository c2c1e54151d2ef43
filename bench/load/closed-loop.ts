import { Pool } from 'undici'
import { fire, type Target } from './target.ts'

export interface Answered {
  readonly requests: number
  readonly seconds: number
}

/**
 * Measures a server's rate in a closed loop. Each client sends its next request as soon as it has the answer to its
 * previous request. Ends when the time is over, or when no requests are left.
 */
export async function closedLoop(
  target: Target,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<Answered> {
  const pool = new Pool(target.origin, { connections: clients, pipelining: 1 })
  const started = performance.now()
  const until = started + seconds * 1_000
  let answered = 0
  const client = async () => {
    while (performance.now() < until) {
      const shot = target.next()
      if (shot === undefined) return
      await fire(pool, target.headers, shot)
      answered += 1
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
    return { requests: answered, seconds: (performance.now() - started) / 1_000 }
  } finally {
    await pool.destroy()
  }
}
