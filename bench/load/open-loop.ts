import { Pool } from 'undici'
import { fire, type Target } from './target.ts'

/**
 * Number of connections. Below the server's peak rate, far fewer requests are in progress at once. Above the peak
 * rate, requests wait for a free connection, and this wait counts as latency.
 */
export const CONNECTIONS = 128
/**
 * The time limit for the last answers. A server may be too slow for the rate, and then its queue grows without limit.
 * So the run ends after this time.
 */
const DRAIN_MS = 20_000

/** The smallest latency, in milliseconds, that this share of all requests didn't exceed. */
export function quantile(latencies: readonly number[], share: number): number {
  const sorted = [...latencies].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/**
 * Sends requests at a fixed rate that doesn't depend on the answers. Returns each request's latency in milliseconds,
 * counted from the time at which the request was due. So the latency includes the delay that a stalled server causes
 * for later requests.
 *
 * Every connection first sends one request that isn't counted. Partners keep connections open, and opening a hundred
 * connections at once would be an additional load.
 */
export async function openLoop(
  target: Target,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<number[]> {
  const pool = new Pool(target.origin, { connections: CONNECTIONS, pipelining: 1 })
  const total = Math.max(1, Math.floor(rate * seconds))
  const latencies: number[] = []
  const answers: Promise<void>[] = []
  const first = async () => {
    const shot = target.next()
    if (shot !== undefined) await fire(pool, target.headers, shot)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, first))
  const started = performance.now()
  const dueAt = (index: number) => started + (index * 1_000) / rate
  const send = async (index: number) => {
    const shot = target.next()
    if (shot === undefined) throw new Error('there is nothing left to send')
    await fire(pool, target.headers, shot)
    latencies.push(performance.now() - dueAt(index))
  }
  try {
    while (answers.length < total) {
      while (answers.length < total && dueAt(answers.length) <= performance.now()) {
        const answer = send(answers.length)
        // `drained` reports a failed request. Without this handler, the unhandled rejection would end the process
        // first.
        answer.catch(() => undefined)
        answers.push(answer)
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await drained(answers)
    return latencies
  } finally {
    await pool.destroy()
  }
}

async function drained(answers: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error('answers are still missing long after the last request')
    timer = setTimeout(() => reject(error), DRAIN_MS)
  })
  await Promise.race([Promise.all(answers), late]).finally(() => clearTimeout(timer))
}
