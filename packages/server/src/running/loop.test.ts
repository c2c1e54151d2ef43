import { afterEach, beforeEach, expect, it } from 'vitest'
import { runLoop, type Loop } from './loop.ts'

const EVERY_MS = 1_000

let nowMs = 0
let sleepers: { untilMs: number; wake: () => void }[] = []
/** A clock that only `advance` moves. */
const clock = {
  nowMs: () => nowMs,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted === true) return resolve()
      signal?.addEventListener('abort', () => resolve(), { once: true })
      sleepers.push({ untilMs: nowMs + ms, wake: resolve })
    }),
}
const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
}

/** Moves the clock in steps of 10 ms, and calls `each` before each step. */
async function advance(ms: number, each = (): void => undefined): Promise<void> {
  for (const endMs = nowMs + ms; nowMs < endMs;) {
    each()
    nowMs += 10
    const due = sleepers.filter(({ untilMs }) => untilMs <= nowMs)
    sleepers = sleepers.filter(({ untilMs }) => untilMs > nowMs)
    for (const { wake } of due) wake()
    await settled()
  }
}

let stopping: AbortController
let loop: Loop
let stepsAtMs: number[] = []
let failures = 0
/** Starts a loop, and waits for its first step. */
async function start(step = async (): Promise<void> => undefined): Promise<void> {
  const failed = () => void (failures += 1)
  const log = { event: () => undefined, alert: () => undefined, failed }
  const options = { everyMs: EVERY_MS, clock, log, signal: stopping.signal }
  loop = runLoop({ name: 'follow', ...options }, async () => {
    stepsAtMs.push(nowMs)
    await step()
  })
  await settled()
}
beforeEach(() => {
  stopping = new AbortController()
  nowMs = 0
  sleepers = []
  stepsAtMs = []
  failures = 0
})
afterEach(async () => {
  stopping.abort()
  await loop.done
})

it('takes a step at its usual interval', async () => {
  await start()
  await advance(2_500)
  expect(stepsAtMs).toEqual([0, 1_000, 2_000])
})

it('takes a step at once if a hint comes after a quiet time', async () => {
  await start()
  await advance(500)
  loop.wake()
  await settled()
  expect(stepsAtMs).toEqual([0, 500])
  await advance(1_000)
  expect(stepsAtMs).toEqual([0, 500, 1_500])
})

it('takes at most one hinted step in 100 ms', async () => {
  await start()
  await advance(1_000, () => loop.wake())
  expect(stepsAtMs).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000])
})

it('takes another step if a hint came during a step', async () => {
  let end = (): void => undefined
  const isEnded = new Promise<void>((resolve) => (end = resolve))
  await start(() => isEnded)
  loop.wake()
  end()
  await settled()
  await advance(500)
  expect(stepsAtMs).toEqual([0, 100])
})

it('ignores hints during the pause after a failed step', async () => {
  await start(() => Promise.reject(new Error('the node is down')))
  await advance(5_000, () => loop.wake())
  expect(stepsAtMs).toEqual([0, 500, 1_500, 3_500])
  expect(failures).toBe(4)
})
