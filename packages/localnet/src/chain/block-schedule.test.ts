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

test('a height grows by one with each slot that has a block', () => {
  assert(
    property(slots, (slot) => {
      const rise = heightOfSlot(slot + 1) - heightOfSlot(slot)
      expect(rise).toBe(isSkippedSlot(slot + 1) ? 0 : 1)
    }),
  )
})

test('the slot of a height has a block with this height', () => {
  assert(
    property(slots, (height) => {
      const slot = slotOfHeight(height)
      expect(isSkippedSlot(slot)).toBe(false)
      expect(heightOfSlot(slot)).toBe(height)
    }),
  )
})

test('the functions for the nearest slot with a block return slots with blocks', () => {
  assert(
    property(slots, (slot) => {
      expect(isSkippedSlot(nextBlockSlot(slot))).toBe(false)
      expect(isSkippedSlot(lastBlockSlot(slot))).toBe(false)
    }),
  )
})
