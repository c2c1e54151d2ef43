import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import { isAppended } from '../../src/settlement/notes/settlement-evidence.ts'
import { VerifiedTree } from '../../src/settlement/follow/verified-tree.ts'

it('I10: a verified tree that has the delivery’s leaf keeps an order from `refunding`, whatever the store says', async () => {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll([11n, 12n, 13n])
  tree.check({ nextLeaf: 3n, rootAfter: () => tree.root })
  // Another worker's lying node has replaced leaf 2 in the store since.
  const store = { findLeaves: async () => new Map() }
  expect(await isAppended({ store, tree } as never, { leafIndex: 1 } as never, 13n)).toBe(true)
})
