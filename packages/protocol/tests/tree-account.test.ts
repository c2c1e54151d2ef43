import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CHECKPOINTS,
  decodeRecent,
  decodeTree,
  decodeTreeHeader,
  fieldToBytes,
  RECENT,
  recentSlice,
  TREE_BYTES,
  TREE_HEADER_BYTES,
} from '../index.ts'

/**
 * A Tree with `size` leaves. Leaf `i` has the value `i + 1`, the root after it has the value `i + 10^9`, and the
 * checkpoint of hour `h` has the value `h`.
 */
function treeOf(size: number, hour: number): Uint8Array {
  const data = new Uint8Array(TREE_BYTES)
  const view = new DataView(data.buffer)
  data[0] = 2
  view.setBigUint64(8, BigInt(size), true)
  view.setBigUint64(16, BigInt(hour), true)
  for (let index = Math.max(0, size - RECENT); index < size; index += 1) {
    const at = 1_312 + (index % RECENT) * 64
    data.set(fieldToBytes(BigInt(index + 1)), at)
    data.set(fieldToBytes(BigInt(index + 1_000_000_000)), at + 32)
  }
  for (let back = 0; back < CHECKPOINTS; back += 1) {
    data.set(fieldToBytes(BigInt(hour - back)), 66_848 + ((hour - back) % CHECKPOINTS) * 32)
  }
  return data
}

describe('the ring of recent leaves', () => {
  it('is read in at most two slices for any range of leaves', () => {
    const sizes = fc.integer({ min: 1, max: 5_000 })
    const data = new Map<number, Uint8Array>()
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, first, length) => {
        const account = data.get(size) ?? treeOf(size, 500_000)
        data.set(size, account)
        const oldest = Math.max(0, size - RECENT)
        const from = oldest + (first % (size - oldest))
        const count = length % (size - from + 1)
        const slices = recentSlice(from, count)
        expect(slices.length).toBeLessThanOrEqual(2)
        const read = slices.flatMap(({ offset, length: bytes }) =>
          decodeRecent(account.subarray(offset, offset + bytes)),
        )
        const expected = Array.from({ length: count }, (_, place) => ({
          leaf: BigInt(from + place + 1),
          root: BigInt(from + place + 1_000_000_000),
        }))
        expect(read).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('refuses a range that is larger than the ring, and a slice that ends inside a leaf', () => {
    expect(() => recentSlice(0, RECENT + 1)).toThrow(RangeError)
    expect(() => decodeRecent(new Uint8Array(63))).toThrow(/whole number/)
  })
})

it('a reader can decode a whole Tree, or only its header from the first bytes', () => {
  const data = treeOf(1_500, 490_001)
  const tree = decodeTree(data)
  expect(tree.nextIndex).toBe(1_500n)
  expect(tree.recent(1_499)).toEqual({ leaf: 1_500n, root: 1_000_001_499n })
  expect(tree.checkpoint(490_001)).toBe(490_001n)
  expect(tree.checkpoint(490_001 - 1_535)).toBe(488_466n)
  const header = decodeTreeHeader(data.subarray(0, TREE_HEADER_BYTES))
  expect(header).toEqual({ nextIndex: 1_500n, lastCheckpointHour: 490_001n })
  expect(() => decodeTreeHeader(new Uint8Array(24))).toThrow(/isn't a Tree/)
})
