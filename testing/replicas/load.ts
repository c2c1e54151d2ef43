import { setTimeout as sleep } from 'node:timers/promises'
import type { Status } from '../../demo/src/service-api.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Ended } from '../soak/check-balances.ts'
import type { DrawnOrder } from '../soak/draw-orders.ts'
import { pay, place, type Market, type Ordered } from './customer.ts'
import { followOrder } from './follow-order.ts'

/** Number of users who place and pay orders at the same time. */
const USERS = 6
/** Pause between two requests of a user who only reads and repeats requests. */
const READ_MS = 120
/** Number of orders that are kept for one drill. The drill pays these orders, and they are delivered immediately. */
const RESERVED = 3

/** True if an order ends only after the chain's time has been advanced past its expiry. */
const isForLater = ({ drawn }: Ordered): boolean =>
  drawn.fate === 'late' || drawn.fate === 'abandoned'

/** Orders and reads that continue while the deployment changes. */
export class Load {
  readonly ended: Ended[] = []
  readonly placed: Ordered[] = []
  /** Violations found. */
  readonly wrong: string[] = []
  readonly #market: Market
  readonly #random: SeededRandom
  readonly #waiting: DrawnOrder[]
  #reserved: readonly DrawnOrder[]
  readonly #running = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #reading: Promise<void>

  constructor(market: Market, drawn: readonly DrawnOrder[], seed: number) {
    this.#market = market
    this.#reserved = drawn.filter(({ fate }) => fate === 'prompt').slice(-RESERVED)
    this.#waiting = drawn.filter((one) => !this.#reserved.includes(one))
    this.#random = new SeededRandom(`reads/${seed}`)
    this.#reading = this.#readOn()
  }

  /** Starts this many additional orders, a few at a time, and returns immediately. */
  begin(count: number): void {
    this.#beginAll(this.#waiting.splice(0, count))
  }

  /** Starts the orders that were reserved for immediate delivery. Later calls have no effect. */
  beginPrompt(): void {
    this.#beginAll([...this.#reserved])
    this.#reserved = []
  }

  #beginAll(share: DrawnOrder[]): void {
    const user = async () => {
      for (let drawn = share.shift(); drawn !== undefined; drawn = share.shift()) {
        await this.#live(drawn)
      }
    }
    for (let users = Math.min(USERS, share.length); users > 0; users -= 1) this.#run(user())
  }

  /**
   * Starts the remaining orders. Waits until all orders have ended, except those that end only after the chain's time
   * is advanced.
   */
  async finish(): Promise<void> {
    this.begin(this.#waiting.length)
    this.beginPrompt()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Follows the orders that end only after the chain's time is advanced. Then stops the user who only reads. */
  async end(): Promise<void> {
    await Promise.all(this.placed.filter(isForLater).map((one) => this.#follow(one)))
    this.#stopping.abort()
    await this.#reading
  }

  #run(work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => void this.wrong.push(String(error)))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #live(drawn: DrawnOrder): Promise<void> {
    try {
      const ordered = await place(this.#market, drawn)
      this.placed.push(ordered)
      if (drawn.fate === 'abandoned') return
      await pay(this.#market, ordered)
      // Follows a paid order in the background, so that the user can place the next order.
      if (!isForLater(ordered)) this.#run(this.#follow(ordered))
    } catch (error) {
      this.wrong.push(`order ${drawn.index} (${drawn.kind}, ${drawn.fate}): ${String(error)}`)
    }
  }

  async #follow(ordered: Ordered): Promise<void> {
    const record = await followOrder(this.#market.client, ordered)
    // The status still contains its signatures, because the service deletes them only after a day.
    this.ended.push({ ...ordered, status: record as Status })
  }

  async #readOn(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#readOnce().catch((error: unknown) => void this.wrong.push(String(error)))
      await sleep(READ_MS)
    }
  }

  /**
   * Requests a status or a list, or repeats an order with its key. For the repeated order, every replica must return
   * the first answer.
   */
  async #readOnce(): Promise<void> {
    const { client } = this.#market
    const ordered = this.placed.length === 0 ? undefined : this.#random.pick(this.placed)
    if (ordered === undefined) return void (await client.tokens())
    const { trackingId } = ordered.order
    switch (this.#random.below(4)) {
      case 0: {
        const options = { idempotencyKey: ordered.key }
        const again = await client.createOrder(ordered.terms, options)
        if (JSON.stringify(again) !== JSON.stringify(ordered.order)) {
          throw new Error(`a replay of order ${ordered.drawn.index} has another answer`)
        }
        return
      }
      case 1: {
        for await (const one of client.orders({ pageSize: 5 })) if (one.trackingId) break
        return
      }
      default: {
        const record = await client.status(trackingId)
        if (record.trackingId !== trackingId) throw new Error('another order was shown')
      }
    }
  }
}
