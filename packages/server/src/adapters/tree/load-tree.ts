import { buildTree } from '@sotto/poseidon'
import { fieldToBytes, type MerkleTree } from '@sotto/protocol'

/** Number of leaves that are read together. A page with more leaves could take more memory than the tree. */
const PAGE_LEAVES = 1 << 16
/** Number of leaves that are hashed without a pause. Hashing so many leaves takes about 100 ms. */
const PIECE_LEAVES = 1 << 11
const LEAF_BYTES = 32

/** Reads up to `countMax` stored leaves in order, starting at the index `from`. Stops at the first gap. */
export type ReadStoredLeaves = (from: number, countMax: number) => Promise<readonly bigint[]>

/**
 * Builds the tree of all stored leaves. If the last leaf of `kept` is stored, the tree begins with the leaves of
 * `kept`, and only later leaves are hashed. Otherwise all stored leaves are read and hashed in several threads.
 */
export async function loadTree(
  read: ReadStoredLeaves,
  kept: MerkleTree,
  threads: number,
): Promise<MerkleTree> {
  const last = kept.size - 1
  const isKept = last >= 0 && (await read(last, 1))[0] === kept.leaf(last)
  if (!isKept) return buildTree(await readBytes(read), threads)
  for (;;) {
    const leaves = await read(kept.size, PIECE_LEAVES)
    kept.appendAll(leaves)
    if (leaves.length < PIECE_LEAVES) return kept
  }
}

/** Returns all stored leaves, 32 little-endian bytes each. */
async function readBytes(read: ReadStoredLeaves): Promise<Uint8Array> {
  const pages: Uint8Array[] = []
  for (let from = 0; ;) {
    const leaves = await read(from, PAGE_LEAVES)
    const page = new Uint8Array(leaves.length * LEAF_BYTES)
    leaves.forEach((leaf, index) => page.set(fieldToBytes(leaf).reverse(), index * LEAF_BYTES))
    pages.push(page)
    from += leaves.length
    if (leaves.length < PAGE_LEAVES) return Buffer.concat(pages)
  }
}
