import { expect, it } from 'vitest'
import { Cooldown } from './cooldown.ts'

const ID = new Uint8Array(16)

it('each rest is twice as long as the previous rest, up to a limit', () => {
  const cooldown = new Cooldown(3_000, 60_000)
  let nowMs = 0
  const rests = [1, 2, 3, 4, 5, 6, 7].map(() => {
    cooldown.rest(ID, nowMs)
    const fromMs = nowMs
    while (!cooldown.isDue(ID, nowMs)) nowMs += 1_000
    return nowMs - fromMs
  })
  expect(rests).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000])
  expect(cooldown.hasRested(ID, nowMs)).toBe(true)
  nowMs += 60_000
  expect(cooldown.hasRested(ID, nowMs)).toBe(false)
  cooldown.rest(ID, nowMs)
  expect(cooldown.isDue(ID, nowMs + 3_000)).toBe(true)
})

it('setting the clock back ends a rest', () => {
  const cooldown = new Cooldown(3_000)
  cooldown.rest(ID, 1_000_000)
  expect(cooldown.isDue(ID, 1_000_000)).toBe(false)
  expect(cooldown.isDue(ID, 0)).toBe(true)
})
