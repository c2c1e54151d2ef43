import { fieldToBytes, type MerkleTree } from '@sotto/protocol'
import { availableParallelism } from 'node:os'
import { buildTree } from '../adapters/poseidon/build-tree.ts'
import type { SettlementStore } from '../ports/settlement-store.ts'

/** More threads than this have nothing to gain over reading the leaves. */
const THREADS_MAX = 8

/**
 * The tree of the leaves that the database knows, hashed by several threads before a worker begins:
 * within its loops, a million leaves would hold up its leases for half a minute.
 */
export async function preloadTree(store: Pick<SettlementStore, 'readLeaves'>): Promise<MerkleTree> {
  const leaves = await store.readLeaves(0)
  const bytes = new Uint8Array(leaves.length * 32)
  leaves.forEach((leaf, index) => bytes.set(fieldToBytes(leaf).reverse(), index * 32))
  return buildTree(bytes, Math.min(availableParallelism(), THREADS_MAX))
}
