import { expect, it } from 'vitest'
import { Attention, ATTENTIVE_MS } from './attention.ts'

const open = (busyMs: number, idleMs: number) => {
  const clock = { ms: 1_000, nowMs: () => clock.ms }
  return { clock, attention: new Attention(clock, { busyMs, idleMs }) }
}

it('the pause is long only after a minute without a sign of work', () => {
  const { clock, attention } = open(400, 3_000)
  expect(attention.pauseMs()).toBe(400)
  clock.ms += ATTENTIVE_MS - 1
  expect(attention.pauseMs()).toBe(400)
  clock.ms += 1
  expect(attention.pauseMs()).toBe(3_000)
  let woken = 0
  attention.recordWork({ wake: () => (woken += 1) }, { wake: () => (woken += 1) })
  expect(woken).toBe(2)
  expect(attention.pauseMs()).toBe(400)
})

it('a clock that is set back does not lengthen the pause', () => {
  const { clock, attention } = open(400, 3_000)
  clock.ms -= 10 * ATTENTIVE_MS
  expect(attention.pauseMs()).toBe(400)
  const slow = open(5_000, 3_000)
  slow.clock.ms += 2 * ATTENTIVE_MS
  expect(slow.attention.pauseMs()).toBe(5_000)
})
