import { Pool } from 'undici'
import { fire, type Target } from './target.ts'

/**
 * Below the peak rate, far fewer requests than this are in progress. Above the peak rate, requests queue, and their
 * wait counts.
 */
export const CONNECTIONS = 128
/** Ends the run if a server can't keep up; otherwise the queue would grow without limit. */
const DRAIN_MS = 20_000

/** The smallest latency in milliseconds that this share of all requests didn't exceed. */
export function quantile(latencies: readonly number[], share: number): number {
  const sorted = [...latencies].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/**
 * Sends at a fixed rate, independent of the answers, and returns each request's milliseconds from the time at which it
 * was due. So a server that stalls can't hide delayed requests. Every connection first sends a request that doesn't
 * count, because partners keep connections open, and opening a hundred at once would itself be a load.
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
        // `drained` reports a failure. Without this handler, the failure would end the process before that.
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
