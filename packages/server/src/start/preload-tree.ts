import { fieldToBytes, type MerkleTree } from '@sotto/protocol'
import { availableParallelism } from 'node:os'
import { buildTree } from '@sotto/poseidon'
import type { SettlementStore } from '../ports/settlement-store.ts'

/**
 * Greatest number of threads. With more threads, hashing would be faster than reading the leaves, so the total time
 * would stay the same.
 */
const THREADS_MAX = 8

/**
 * Builds the tree of the leaves in the database before a worker starts. The leaves are hashed in several threads. If
 * the worker hashed a million leaves in its own loops, the renewal of its leases would be delayed by half a minute.
 */
export async function preloadTree(store: Pick<SettlementStore, 'readLeaves'>): Promise<MerkleTree> {
  const leaves = await store.readLeaves(0)
  const bytes = new Uint8Array(leaves.length * 32)
  leaves.forEach((leaf, index) => bytes.set(fieldToBytes(leaf).reverse(), index * 32))
  return buildTree(bytes, Math.min(availableParallelism(), THREADS_MAX))
}
