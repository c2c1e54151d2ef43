import { FileLockedError } from '@sotto/file-lock'
import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree } from '@sotto/protocol'
import { availableParallelism } from 'node:os'
import { loadTree } from '../adapters/tree/load-tree.ts'
import { readTreeFile, TreeFile } from '../adapters/tree/tree-file.ts'
import type { SettlementChain } from '../ports/settlement-chain.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { SettlementStore } from '../ports/settlement-store.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Maximum number of threads. With more threads, hashing would be faster than reading the leaves, so the total time
 * would stay the same.
 */
const THREADS_MAX = 8

/**
 * A tree file, and the tree that it contains. `file` is undefined if no file is configured, or if another process
 * writes it.
 */
interface OpenedTree {
  readonly tree: MerkleTree
  readonly file: TreeFile | undefined
}

export interface PreloadDependencies {
  readonly store: Pick<SettlementStore, 'readLeaves'>
  readonly chain: Pick<SettlementChain, 'readTree'>
  readonly log: Pick<SettlementLog, 'event'>
}

/**
 * Builds the tree of the leaves in the database before a worker starts. If the worker hashed a million leaves in its
 * own loops, the renewal of its leases would be delayed by half a minute. Therefore the hashes are read from the tree
 * file, and only the leaves that the file lacks are hashed. Without a file, all leaves are hashed in several threads.
 * All leaves are also hashed if the chain's root differs from the root of the file's tree.
 *
 * @param path the tree file, if there is one
 * @returns the tree, and the file to which this process will write it
 * @throws OperatorError if the file can't be opened or created
 */
export async function preloadTree(
  { store, chain, log }: PreloadDependencies,
  path: string | undefined,
): Promise<OpenedTree> {
  const threads = Math.min(availableParallelism(), THREADS_MAX)
  const { tree: kept, file } = await openTree(path)
  const hasKept = kept.size > 0
  const tree = await loadTree(store.readLeaves, kept, threads)
  if (!hasKept || !(await isRefuted(chain, tree))) return { tree, file }
  log.event('tree_file_refuted')
  return { tree: await loadTree(store.readLeaves, new MerkleTree(wasmPoseidon), threads), file }
}

async function openTree(path: string | undefined): Promise<OpenedTree> {
  if (path === undefined) return { tree: new MerkleTree(wasmPoseidon), file: undefined }
  try {
    return await TreeFile.open(path)
  } catch (error) {
    if (error instanceof FileLockedError) return { tree: await readTreeFile(path), file: undefined }
    throw new OperatorError(
      `the tree file ${path} can't be opened (${(error as Error).message}); create its folder, give this user access, or set SOTTO_TREE to another file`,
      { cause: error },
    )
  }
}

/** True if the chain still has the root after the tree's last leaf, and this root differs from the tree's root. */
async function isRefuted(
  chain: Pick<SettlementChain, 'readTree'>,
  tree: MerkleTree,
): Promise<boolean> {
  const ring = await chain.readTree(0n)
  const entry = ring.entry(tree.size - 1)
  return entry !== undefined && entry.root !== tree.root
}
