import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import { storedLeavesComparer } from '../../src/settlement/follow/compare-stored-leaves.ts'
import { VerifiedTree } from '../../src/settlement/follow/verified-tree.ts'

it('finds an old leaf that another worker’s lying node replaced in the store', async () => {
  const leaves = Array.from({ length: 1_100 }, (_, index) => BigInt(index + 1))
  const stored = leaves.map((leaf, index) => (index === 5 ? 99_999n : leaf))
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(leaves)
  const compare = storedLeavesComparer({ readLeaves: async (from) => stored.slice(from) }, tree)
  for (let round = 0; round < 4_000; round += 1) await compare()
  expect(tree.size).toBeLessThanOrEqual(5)
})
