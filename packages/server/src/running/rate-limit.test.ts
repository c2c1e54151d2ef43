import { expect, it } from 'vitest'
import { RateLimit } from './rate-limit.ts'

it('allows a burst, then the allowed number per second, separately for each key', () => {
  let nowMs = 0
  const clock = { nowMs: () => nowMs, sleep: async () => undefined }
  const limit = new RateLimit('key', clock, { perSecond: 2, burst: 3 })
  const taken = (key: string) => limit.take(key).isAllowed
  expect([1, 2, 3, 4].map(() => taken('a'))).toEqual([true, true, true, false])
  expect(limit.take('a').retryAfterSeconds).toBe(1)
  expect(taken('b')).toBe(true)
  nowMs += 500
  expect([taken('a'), taken('a')]).toEqual([true, false])
  nowMs += 60_000
  expect([1, 2, 3, 4].map(() => taken('a'))).toEqual([true, true, true, false])
})

it('reports the remaining requests in the standard headers', () => {
  const clock = { nowMs: () => 0, sleep: async () => undefined }
  const limit = new RateLimit('key', clock, { perSecond: 2, burst: 3 })
  expect(limit.take('a').headers).toEqual({
    'ratelimit-policy': '"key";q=3;w=2',
    ratelimit: '"key";r=2;t=1',
  })
})

it('gives back what was taken, but never more than the burst', () => {
  const limit = new RateLimit(
    'key',
    { nowMs: () => 0, sleep: async () => undefined },
    { perSecond: 1, burst: 2 },
  )
  expect(limit.take('one', 2).isAllowed).toBe(true)
  limit.giveBack('one')
  expect([limit.take('one').isAllowed, limit.take('one').isAllowed]).toEqual([true, false])
  limit.giveBack('one', 2)
  limit.giveBack('one', 2)
  expect([limit.take('one', 2).isAllowed, limit.take('one').isAllowed]).toEqual([true, false])
})
