import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import {
  heightOfSlot,
  isSkippedSlot,
  lastBlockSlot,
  nextBlockSlot,
  slotOfHeight,
} from './block-schedule.ts'

const slots = integer({ min: 0, max: 2 ** 40 })

test('heights count blocks: each block slot raises the height by one, a skipped slot by none', () => {
  assert(
    property(slots, (slot) => {
      const rise = heightOfSlot(slot + 1) - heightOfSlot(slot)
      expect(rise).toBe(isSkippedSlot(slot + 1) ? 0 : 1)
    }),
  )
})

test('slot and height are inverse on block slots', () => {
  assert(
    property(slots, (height) => {
      const slot = slotOfHeight(height)
      expect(isSkippedSlot(slot)).toBe(false)
      expect(heightOfSlot(slot)).toBe(height)
    }),
  )
})

test('the nearest block slots carry blocks', () => {
  assert(
    property(slots, (slot) => {
      expect(isSkippedSlot(nextBlockSlot(slot))).toBe(false)
      expect(isSkippedSlot(lastBlockSlot(slot))).toBe(false)
    }),
  )
})
