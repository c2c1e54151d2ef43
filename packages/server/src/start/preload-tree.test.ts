import { FileLockedError, lockFile } from '@sotto/file-lock'
import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree } from '@sotto/protocol'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TreeFile } from '../adapters/tree/tree-file.ts'
import { preloadTree } from './preload-tree.ts'

const leavesOf = (count: number, seed = 1n) =>
  Array.from({ length: count }, (_, index) => BigInt(index) * 7_919n + seed)

function treeOf(leaves: readonly bigint[]): MerkleTree {
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll(leaves)
  return tree
}

const newPath = () => join(mkdtempSync(join(tmpdir(), 'sotto-tree-')), 'tree')

/** A database with these leaves, and a chain whose ring shows only the last leaf, with the root after that leaf. */
function scene(leaves: readonly bigint[]) {
  const [events, reads]: [string[], number[]] = [[], []]
  const tree = treeOf(leaves)
  const entry = (index: number) =>
    index === leaves.length - 1 ? { leaf: leaves[index] ?? 0n, root: tree.root } : undefined
  return {
    tree,
    events,
    /** The indexes at which leaves were read. */
    reads,
    store: {
      readLeaves: async (from: number, countMax?: number) => {
        reads.push(from)
        return leaves.slice(from, countMax === undefined ? undefined : from + countMax)
      },
    },
    chain: {
      readTree: async () => ({
        ...{ slot: 1n, nextLeaf: BigInt(leaves.length), lastCheckpointHour: 0n },
        ...{ entry, checkpoint: () => 0n },
      }),
    },
    log: { event: (name: string) => void events.push(name) },
  }
}

it('the preloaded tree equals a tree whose leaves were appended one by one', async () => {
  const { tree: expected, ...d } = scene(leavesOf(9_000))
  const { tree, file } = await preloadTree(d, undefined)
  expect([tree.size, tree.root, file]).toEqual([9_000, expected.root, undefined])
  tree.appendAll([5n])
  expected.appendAll([5n])
  expect(tree.root).toBe(expected.root)
  expect(tree.path(8_999)).toEqual(expected.path(8_999))
})

it('a second start reads only the leaves that the tree file lacks', async () => {
  const path = newPath()
  const first = await preloadTree(scene(leavesOf(9_000)), path)
  await first.file?.save(first.tree)
  await first.file?.close()
  const { tree: expected, ...d } = scene(leavesOf(9_500))
  const { tree, file } = await preloadTree(d, path)
  expect([tree.size, tree.root]).toEqual([9_500, expected.root])
  expect(Math.min(...d.reads)).toBe(9_000 - 1_024 - 1)
  expect(d.events).toEqual([])
  await file?.close()
})

it.each(['different leaves before the same last leaf', 'a different last leaf'])(
  'hashes all leaves again if the tree file has %s',
  async (what) => {
    const path = newPath()
    const truth = leavesOf(5_000)
    const wrong = [...truth]
    wrong[what === 'a different last leaf' ? 5_000 - 1_025 : 17] = 4n
    const { file: written } = await TreeFile.open(path)
    await written.save(treeOf(wrong))
    await written.close()
    const { tree: expected, ...d } = scene(truth)
    const { tree, file } = await preloadTree(d, path)
    expect(tree.root).toBe(expected.root)
    expect(d.events).toEqual(what === 'a different last leaf' ? [] : ['tree_file_refuted'])
    await file?.save(tree)
    await file?.close()
    const { tree: mended, file: again } = await TreeFile.open(path)
    expect(mended.root).toBe(treeOf(truth.slice(0, 5_000 - 1_024)).root)
    await again.close()
  },
)

it('only reads the tree file while another process writes it', async () => {
  const path = newPath()
  const { file: written } = await TreeFile.open(path)
  await written.save(treeOf(leavesOf(4_000)))
  await written.close()
  const unlock = lockFile(`${path}.lock`)
  await expect(TreeFile.open(path)).rejects.toThrow(FileLockedError)
  const { tree: expected, ...d } = scene(leavesOf(4_000))
  const { tree, file } = await preloadTree(d, path)
  unlock()
  expect([tree.root, file]).toEqual([expected.root, undefined])
  expect(Math.min(...d.reads)).toBe(4_000 - 1_024 - 1)
})

it('says which file cannot be opened, and what to do', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'sotto-tree-')), 'absent', 'tree')
  await expect(preloadTree(scene([]), path)).rejects.toThrow(
    /the tree file .*absent.tree can't be opened \(.*ENOENT.*\); create its folder/,
  )
})
