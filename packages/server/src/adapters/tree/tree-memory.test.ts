import { buildTree } from '@sotto/poseidon'
import { TREE_LEVELS } from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const GUIDE = new URL('../../../../../docs/deployment/operations.md', import.meta.url)
const LEAVES = 1 << 14
const LEAF_BYTES = 32

it('the guide says how much memory the nodes of the tree take for each leaf', async () => {
  const tree = await buildTree(new Uint8Array(LEAVES * LEAF_BYTES), 1)
  let bytes = 0
  for (let level = 0; level <= TREE_LEVELS; level += 1) {
    bytes += tree.nodesOf(level, 0, LEAVES).length
  }
  const perLeaf = (bytes / LEAVES).toFixed(1)
  const guide = readFileSync(GUIDE, 'utf8').replaceAll(/\s+/g, ' ')
  expect(guide).toContain(`takes ${perLeaf} bytes for each leaf`)
})
