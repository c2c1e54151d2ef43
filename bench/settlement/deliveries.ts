import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The default pause between polls of the database. Shorter pauses would take more processor time from the measured
 * worker.
 */
const POLL_MS = 50
/** The time limit for a delivery, in milliseconds. A delivery that takes longer is considered stuck. */
const PATIENCE_MS = 300_000

/** Reads the states of deliveries from the service's database. So the service itself needn't measure the times. */
export class Deliveries {
  readonly #pool: pg.Pool

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
    // When the database stops, an idle connection reports an error, which must not end the run.
    this.#pool.on('error', () => undefined)
  }

  /**
   * The number of orders on which a worker has begun work, and the number of delivered orders among them. Without
   * random delays, work on an order begins right after its deposit is recorded.
   */
  async counts(): Promise<{ readonly seen: number; readonly delivered: number }> {
    const { rows } = await this.#pool.query<{ seen: string; delivered: string }>(
      `SELECT count(*) AS seen, count(*) FILTER (WHERE status = 'delivered') AS delivered
       FROM settlements`,
    )
    return { seen: Number(rows[0]?.seen), delivered: Number(rows[0]?.delivered) }
  }

  /**
   * Waits until work on this number of orders has begun (`seen`), or until this number of orders is delivered. Returns
   * the time by `performance.now()`.
   */
  async until(what: 'seen' | 'delivered', count: number, pollMs = POLL_MS): Promise<number> {
    const endMs = performance.now() + PATIENCE_MS
    while ((await this.counts())[what] < count) {
      if (performance.now() > endMs) throw new Error(`${count} orders were never ${what}`)
      await sleep(pollMs)
    }
    return performance.now()
  }

  close(): Promise<void> {
    return this.#pool.end()
  }
}
