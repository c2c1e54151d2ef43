import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import { storedLeavesHeeder } from './heed-stored-leaves.ts'
import { VerifiedTree } from './verified-tree.ts'

/** The size of a tree with these leaves after some rounds beside these stored ones. */
async function sizeAfter(leaves: readonly bigint[], stored: readonly bigint[]): Promise<number> {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(leaves)
  const heed = storedLeavesHeeder({ readLeaves: async (from) => stored.slice(from) }, tree)
  for (let round = 0; round < 4; round += 1) await heed()
  return tree.size
}

it('leaves that another worker replaced are dropped, with all after them', async () => {
  expect(await sizeAfter([11n, 12n, 13n], [11n, 99n, 13n])).toBe(1)
  expect(await sizeAfter([11n, 12n, 13n], [99n])).toBe(0)
  expect(await sizeAfter([11n, 12n, 13n], [11n, 12n])).toBe(2)
})

it('leaves that are stored stay, whatever was stored after them', async () => {
  expect(await sizeAfter([11n, 12n], [11n, 12n])).toBe(2)
  expect(await sizeAfter([11n, 12n], [11n, 12n, 13n])).toBe(2)
})
