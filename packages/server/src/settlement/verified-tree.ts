import {
  MerkleTree,
  ROOTS,
  type NotePosition,
  type Poseidon,
  type RootPlace,
} from '@sotto/protocol'
import type { RecentRoots } from '../ports/chain-follow.ts'

/** A note's place, and the newest root of the chain that it leads to. */
export interface ProvablePosition {
  readonly root: RootPlace
  readonly position: NotePosition
}

/**
 * The note tree as this process knows it, with whether the chain agrees. Nothing is delivered from a
 * tree whose root the chain hasn't confirmed (I9).
 */
export class VerifiedTree {
  readonly #poseidon: Poseidon
  #tree: MerkleTree
  #isVerified = false

  constructor(poseidon: Poseidon) {
    this.#poseidon = poseidon
    this.#tree = new MerkleTree(poseidon)
  }

  get size(): number {
    return this.#tree.size
  }

  get isVerified(): boolean {
    return this.#isVerified
  }

  /** Takes leaves in; until they are checked nothing can be proved. */
  appendAll(leaves: readonly bigint[]): void {
    if (leaves.length === 0) return
    this.#tree.appendAll(leaves)
    this.#isVerified = false
  }

  /** Drops leaves that couldn't be recorded. */
  truncate(size: number): void {
    this.#tree.truncate(size)
    this.#isVerified = false
  }

  /** Starts over with these leaves. */
  replace(leaves: readonly bigint[]): void {
    this.#tree = new MerkleTree(this.#poseidon)
    this.#tree.appendAll(leaves)
    this.#isVerified = false
  }

  /**
   * Compares the root with the chain's behind the same leaf. One root commits to every leaf before
   * it, so the newest is enough.
   */
  check(roots: RecentRoots): boolean {
    const isEqual =
      this.size === 0
        ? roots.nextLeaf === 0n
        : roots.nextLeaf >= BigInt(this.size) && roots.rootAfter(this.size - 1) === this.#tree.root
    this.#isVerified = isEqual
    return isEqual
  }

  /** What a proof needs of a note's place; undefined while the tree isn't verified. */
  locate(leafIndex: number): ProvablePosition | undefined {
    if (!this.#isVerified || leafIndex >= this.size) return undefined
    return {
      root: { kind: 'recent', index: (this.size - 1) % ROOTS },
      position: { leafIndex: BigInt(leafIndex), path: this.#tree.path(leafIndex) },
    }
  }

  /** The leaf at an index; undefined past the end. */
  leaf(index: number): bigint | undefined {
    return this.#tree.leaf(index)
  }
}
