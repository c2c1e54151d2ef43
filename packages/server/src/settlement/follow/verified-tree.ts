import {
  MerkleTree,
  ROOTS,
  type NotePosition,
  type Poseidon,
  type RootPlace,
} from '@sotto/protocol'
import type { RecentRoots } from '../../ports/settlement-chain.ts'

/** A note's place, and the newest root of the chain that it leads to. */
export interface ProvablePosition {
  readonly root: RootPlace
  readonly position: NotePosition
}

/**
 * So many times in a row, and for so long, the newest root must have been irreproducible before that counts
 * as a difference, which halts new orders until an operator comes: a node that hides a transaction for a
 * moment, or until its neighbour answers, is no difference. Waking a worker may make rounds follow each
 * other at once, so that their number alone says nothing.
 */
const REFUTATIONS_MIN = 3
const REFUTED_MS = 120_000
/**
 * What counts at most of the time between two rounds that found so: more than a failed round's pause and a
 * request's time-out. The rest is a clock that leapt, or a silence in which nobody saw anything.
 */
const SILENCE_MAX_MS = 60_000

/**
 * The note tree as this process knows it, with whether the chain agrees. Nothing is delivered from a
 * tree whose root the chain hasn't confirmed (I9).
 */
export class VerifiedTree {
  readonly #poseidon: Poseidon
  #tree: MerkleTree
  #isVerified = false
  #isWhole = false
  #refutations = 0
  #refutedAtMs: number | undefined
  #refutedForMs = 0
  #isRefuted = false

  /** `tree` holds leaves that were hashed before; they are checked like any others. */
  constructor(poseidon: Poseidon, tree = new MerkleTree(poseidon)) {
    this.#poseidon = poseidon
    this.#tree = tree
  }

  get size(): number {
    return this.#tree.size
  }

  /** True where a root of the chain stands for all leaves it has: what they are can be paid. */
  get isVerified(): boolean {
    return this.#isVerified
  }

  /** True where it is verified and had every leaf of the chain when that was checked. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** True where root after root couldn't be reproduced for minutes, until one is. */
  get isRefuted(): boolean {
    return this.#isRefuted
  }

  /** The root of the leaves it has. */
  get root(): bigint {
    return this.#tree.root
  }

  /** The chain's root can't be reproduced from what a node shows: nothing here is relied on. */
  refute(nowMs: number): void {
    this.replace([])
    this.doubt(nowMs)
  }

  /** Leaves behind the confirmed ones can't be had: those stay, and new orders stop if it lasts. */
  doubt(nowMs: number): void {
    const sinceMs = nowMs - (this.#refutedAtMs ?? nowMs)
    this.#refutations += 1
    this.#refutedAtMs = nowMs
    this.#refutedForMs += Math.min(Math.max(0, sinceMs), SILENCE_MAX_MS)
    const isLasting = this.#refutedForMs >= REFUTED_MS
    if (this.#refutations >= REFUTATIONS_MIN && isLasting) this.#isRefuted = true
  }

  /** Takes leaves in; until they are checked nothing can be proved. */
  appendAll(leaves: readonly bigint[]): void {
    if (leaves.length === 0) return
    this.#tree.appendAll(leaves)
    this.#forgetCheck()
  }

  /**
   * Drops leaves that couldn't be recorded. What is left of a verified tree is verified: its root was the
   * chain's behind its last leaf, and the chain keeps its newest roots.
   */
  truncate(size: number): void {
    if (size >= this.size) return
    this.#tree.truncate(size)
    this.#isWhole = false
  }

  /** Starts over with these leaves. */
  replace(leaves: readonly bigint[]): void {
    this.#tree = new MerkleTree(this.#poseidon)
    this.#tree.appendAll(leaves)
    this.#forgetCheck()
  }

  /**
   * Compares the root with the chain's behind the same leaf. One root commits to every leaf before
   * it, so the newest is enough. Of a tree that has all leaves of the chain's head: where that has none, so
   * has the tree, whatever landed until a node told its roots.
   */
  check(roots: RecentRoots): boolean {
    const isEqual =
      this.size === 0 ||
      (roots.nextLeaf >= BigInt(this.size) && roots.rootAfter(this.size - 1) === this.#tree.root)
    this.#isVerified = isEqual
    this.#isWhole = isEqual
    if (isEqual) {
      this.#refutations = 0
      this.#refutedAtMs = undefined
      this.#refutedForMs = 0
      this.#isRefuted = false
    }
    return isEqual
  }

  /**
   * Drops leaves from the end until the chain confirms the root of what is left, and returns how many
   * those are; 0 where none of the roots that the chain still holds is one of ours. Steps double: what
   * is wrong is nearly always new, and a leaf too many costs no more than being read again. What is left
   * is verified.
   */
  keepConfirmed(roots: RecentRoots): number {
    const whole = this.size
    for (let dropped = 0, step = 1; dropped < whole && dropped <= ROOTS; dropped += step) {
      this.truncate(whole - dropped)
      const root = roots.rootAfter(this.size - 1)
      if (root !== undefined && root === this.#tree.root) {
        this.#isVerified = true
        return this.size
      }
      if (dropped > 0) step *= 2
    }
    this.replace([])
    return 0
  }

  #forgetCheck(): void {
    this.#isVerified = false
    this.#isWhole = false
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
