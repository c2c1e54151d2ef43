import { emptySubtrees, fieldToBytes, MerkleTree, TREE_ARITY } from '@sotto/protocol'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { wasmPoseidon } from './wasm-poseidon.ts'

const NODE_BYTES = 32
/**
 * Height of the subtrees. No subtree is shared by two threads. A subtree has 4^6 leaves, so few hashes remain above the
 * subtrees.
 */
const SUBTREE_HEIGHT = 6

/**
 * Builds a tree from many leaves. Several threads hash subtrees in parallel in shared memory. If there are few
 * leaves, the calling thread hashes all of them.
 *
 * @param leaves 32 little-endian bytes each
 * @throws Error if a leaf isn't an element of the field
 */
export async function buildTree(leaves: Uint8Array, threads: number): Promise<MerkleTree> {
  const subtrees = Math.ceil(leaves.length / NODE_BYTES / TREE_ARITY ** SUBTREE_HEIGHT)
  const workers = Math.min(threads, subtrees)
  if (workers < 2) return MerkleTree.fromLevels(wasmPoseidon, [leaves])
  const levels = shareLevels(leaves)
  const empty = emptySubtrees(wasmPoseidon).map((node) => fieldToBytes(node).reverse())
  const share = Math.ceil(subtrees / workers)
  await Promise.all(
    Array.from({ length: workers }, (_, index) => {
      const range = [index * share, Math.min((index + 1) * share, subtrees)]
      return runThread({ levels, empty, subtrees: range })
    }),
  )
  return MerkleTree.fromLevels(wasmPoseidon, levels)
}

/** Shared memory for the lowest levels of the tree. It already contains a copy of the leaves. */
function shareLevels(leaves: Uint8Array): Uint8Array[] {
  const count = leaves.length / NODE_BYTES
  const levels = Array.from({ length: SUBTREE_HEIGHT + 1 }, (_, level) => {
    const nodes = Math.ceil(count / TREE_ARITY ** level)
    return new Uint8Array(new SharedArrayBuffer(nodes * NODE_BYTES))
  })
  levels[0]?.set(leaves)
  return levels
}

async function runThread(workerData: object): Promise<void> {
  const thread = new Worker(new URL('./level-thread.mjs', import.meta.url), {
    workerData,
    // Without this empty list, the thread would inherit this process's Node options.
    execArgv: [],
    env: {},
  })
  // Rejects with the thread's error if the thread fails.
  await once(thread, 'message')
  await thread.terminate()
}
