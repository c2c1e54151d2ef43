import { fieldToBytes, type MerkleTree } from '@sotto/protocol'
import { availableParallelism } from 'node:os'
import { buildTree } from '@sotto/poseidon'
import type { SettlementStore } from '../ports/settlement-store.ts'

/**
 * Number of threads. With more threads, hashing would be faster than reading the leaves, so the total time would stay
 * the same.
 */
const THREADS_MAX = 8

/**
 * Builds the tree of the leaves in the database before a worker starts, and hashes them in several threads. Hashing a
 * million leaves within the worker's loops would delay the renewal of its leases for half a minute.
 */
export async function preloadTree(store: Pick<SettlementStore, 'readLeaves'>): Promise<MerkleTree> {
  const leaves = await store.readLeaves(0)
  const bytes = new Uint8Array(leaves.length * 32)
  leaves.forEach((leaf, index) => bytes.set(fieldToBytes(leaf).reverse(), index * 32))
  return buildTree(bytes, Math.min(availableParallelism(), THREADS_MAX))
}
