import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { arrivalSecondsOf, DUE_SOON_SECONDS, lawOf, meanDelayMs } from './delivery-schedule.ts'
import { drawDelayMs } from './draw-delay.ts'

const DELAYS = { minDelaySeconds: 0, maxDelaySeconds: 1_800 }
const LAW = lawOf({ ...DELAYS, meanSeconds: 300 })
const SECONDS_PER_PROOF = 2
const [MINUTE, TEN_MINUTES] = [60, 600]
/** Seconds from a quote to the finality of its deposit. */
const DEPOSIT_SECONDS = 20

interface Order {
  readonly quoted: number
  readonly duration: number
  readonly deposited: number
  readonly due: number
  settled: number
}

/**
 * Simulates some hours in which orders arrive at random. Each order's quote uses the queue at the time of the quote.
 * One prover settles the orders in the sequence in which they become due. Returns the orders.
 */
function simulate(load: number, hours: number, seed: number): Order[] {
  const random = { below: seededBelow(seed), bytes: Buffer.alloc }
  const exponential = (mean: number) => drawDelayMs(random, 1e9, Math.round(mean * 1_000)) / 1_000
  const orders: Order[] = []
  const waiting: Order[] = []
  let idleFrom = 0
  const settleUntil = (now: number) => {
    for (;;) {
      waiting.sort((left, right) => left.due - right.due)
      const [next] = waiting
      if (next === undefined || Math.max(idleFrom, next.due) > now) return
      idleFrom = Math.max(idleFrom, next.due) + SECONDS_PER_PROOF * (0.5 + exponential(0.5))
      next.settled = idleFrom
      waiting.shift()
    }
  }
  for (let now = 0; now < hours * 3_600; now += exponential(SECONDS_PER_PROOF / load)) {
    settleUntil(now)
    const depositsIn = (seconds: number) =>
      orders.filter(({ deposited }) => deposited <= now && deposited >= now - seconds).length
    const queue = {
      open: orders.filter(
        ({ deposited, due, settled }) =>
          deposited <= now && due <= now + DUE_SOON_SECONDS && settled > now,
      ).length,
      depositsPerSecond: Math.max(
        depositsIn(MINUTE) / MINUTE,
        depositsIn(TEN_MINUTES) / TEN_MINUTES,
      ),
      settledPerSecond: 1 / SECONDS_PER_PROOF,
    }
    const duration = arrivalSecondsOf(LAW, () => queue)(DELAYS)
    const deposited = now + DEPOSIT_SECONDS
    const delay = drawDelayMs(random, 1_800_000, meanDelayMs(LAW, DELAYS)) / 1_000
    const order = { quoted: now, duration, deposited, due: deposited + delay, settled: Infinity }
    orders.push(order)
    waiting.push(order)
  }
  settleUntil(Infinity)
  return orders
}

function seededBelow(seed: number): (bound: number) => number {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

it.each([
  [0.5, 3],
  [3, 1],
])('deliveries keep the stated time at %s times the capacity', (load, hours) => {
  const seed = randomInt(2 ** 31)
  const orders = simulate(load, hours, seed)
  // The sender signs immediately after the quote.
  const kept = orders.filter(({ quoted, duration, settled }) => settled - quoted <= duration)
  expect(kept.length / orders.length, `seed ${seed}`).toBeGreaterThanOrEqual(0.95)
})
