import { describe, expect, it } from 'vitest'
import { quickHash } from '../chain/quick-hash.ts'
import { hashQuads } from '../chain/quick-quads.ts'
import { SeededRandom } from '../time/seeded-random.ts'

/** Reads a number from little-endian bytes. */
const read = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

describe('hashing four nodes', () => {
  it('gives the same hash as quickHash', () => {
    const random = new SeededRandom('quads')
    for (let round = 0; round < 200; round += 1) {
      const nodes = random.bytes(256)
      // Many nodes of a tree are 128-bit hashes, so their upper halves are zero. Every second round uses such nodes. In
      // every third round, two nodes have all bits set.
      if (round % 2 === 0)
        for (const child of [0, 1, 2, 3]) nodes.fill(0, 32 * child + 16, 32 * child + 32)
      if (round % 3 === 0) nodes.fill(0xff, 128, 192)
      const hashes = hashQuads(nodes)
      for (const quad of [0, 1]) {
        const children = [0, 1, 2, 3].map((child) => {
          const from = 128 * quad + 32 * child
          return read(nodes.subarray(from, from + 32))
        })
        expect(read(hashes.subarray(32 * quad, 32 * quad + 32))).toBe(quickHash(children))
      }
    }
  })
})
