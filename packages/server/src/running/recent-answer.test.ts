import { beforeEach, expect, it } from 'vitest'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { RecentAnswer } from './recent-answer.ts'

const LIMITS = { keptMs: 1_000, waitMs: 50, shownMs: 10_000 }

interface Question {
  readonly promise: Promise<number>
  readonly resolve: (value: number) => void
  readonly reject: (error: Error) => void
}

let nowMs: number
let asked: Question[]
let answer: RecentAnswer<number>
beforeEach(() => {
  nowMs = 1_000_000
  asked = []
  let executors: Omit<Question, 'promise'>
  const ask = () => {
    const promise = new Promise<number>((resolve, reject) => {
      executors = { resolve, reject }
    })
    asked.push({ promise, ...executors })
    return promise
  }
  answer = new RecentAnswer(ask, { nowMs: () => nowMs, sleep: systemClock.sleep }, LIMITS)
})

const answered = (value: number) => {
  const read = answer.read()
  asked.at(-1)?.resolve(value)
  return read
}

it('the question is asked only once while its answer is kept, for all callers together', async () => {
  const reads = [answer.read(), answer.read()]
  asked[0]?.resolve(7)
  expect(await Promise.all(reads)).toEqual([7, 7])
  nowMs += LIMITS.keptMs - 1
  expect(await answer.read()).toBe(7)
  expect(asked.length).toBe(1)
  nowMs += 1
  expect(await answered(8)).toBe(8)
  expect(asked.length).toBe(2)
})

it('a late answer does not delay callers, and is shown once it has arrived', async () => {
  expect(await answer.read()).toBeUndefined()
  nowMs += 10 * LIMITS.keptMs
  const startMs = performance.now()
  expect(await answer.read()).toBeUndefined()
  expect(performance.now() - startMs).toBeLessThan(LIMITS.waitMs)
  // The question is never asked twice at the same time.
  expect(asked.length).toBe(1)
  nowMs -= 10 * LIMITS.keptMs
  asked[0]?.resolve(7)
  await asked[0]?.promise
  expect(await answer.read()).toBe(7)
})

it('after a failure, the last answer is shown, and the question is not asked again at once', async () => {
  expect(await answered(7)).toBe(7)
  nowMs += LIMITS.keptMs
  const read = answer.read()
  asked[1]?.reject(new Error('no answer'))
  expect(await read).toBe(7)
  nowMs += LIMITS.keptMs - 1
  expect(await answer.read()).toBe(7)
  expect(asked.length).toBe(2)
  nowMs += 1
  expect(await answered(9)).toBe(9)
})

it('the last answer is not shown once it is too old', async () => {
  expect(await answered(7)).toBe(7)
  nowMs += LIMITS.shownMs - 1
  expect(await answer.read()).toBe(7)
  nowMs += 1
  expect(await answer.read()).toBeUndefined()
})

it('an answer of a future time is not shown, and the question is asked again', async () => {
  expect(await answered(7)).toBe(7)
  nowMs -= 1
  expect(await answered(8)).toBe(8)
})
