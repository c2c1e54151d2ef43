import { expect, it } from 'vitest'
import { Pacer } from './pacer.ts'

const ID = new Uint8Array(16)

it('rests that follow each other double up to the longest, and begin again after a good while', () => {
  const pacer = new Pacer(3_000, 60_000)
  let nowMs = 0
  const rests = [1, 2, 3, 4, 5, 6, 7].map(() => {
    pacer.rest(ID, nowMs)
    const fromMs = nowMs
    while (!pacer.isDue(ID, nowMs)) nowMs += 1_000
    return nowMs - fromMs
  })
  expect(rests).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000, 60_000])
  expect(pacer.hasRested(ID, nowMs)).toBe(true)
  nowMs += 60_000
  expect(pacer.hasRested(ID, nowMs)).toBe(false)
  pacer.rest(ID, nowMs)
  expect(pacer.isDue(ID, nowMs + 3_000)).toBe(true)
})

it('a clock that was set back ends a rest', () => {
  const pacer = new Pacer(3_000)
  pacer.rest(ID, 1_000_000)
  expect(pacer.isDue(ID, 1_000_000)).toBe(false)
  expect(pacer.isDue(ID, 0)).toBe(true)
})
