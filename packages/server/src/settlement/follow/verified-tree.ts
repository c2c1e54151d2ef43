import {
  MerkleTree,
  ROOTS,
  type NotePosition,
  type Poseidon,
  type RootPlace,
} from '@sotto/protocol'
import type { RecentRoots } from '../../ports/settlement-chain.ts'

/** A note's position, and the newest root of the chain that it leads to. */
export interface ProvablePosition {
  readonly root: RootPlace
  readonly position: NotePosition
}

/**
 * The newest root must be irreproducible this many times in a row, and for this long, before that counts as a
 * difference, which halts new orders until an operator acts: a node that briefly omits a transaction, or until
 * its neighbour answers, is no difference. The count alone isn't enough, because waking a worker can make
 * rounds follow each other immediately.
 */
const REFUTATIONS_MIN = 3
const REFUTED_MS = 120_000
/**
 * The most that counts of the time between two such rounds: more than a failed round's pause and a request's
 * time-out. Anything longer is a clock that jumped, or a time without observations.
 */
const SILENCE_MAX_MS = 60_000

/**
 * The note tree as this process knows it, and whether the chain agrees. Nothing is delivered from a
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

  /** `tree` may hold leaves that were hashed earlier; they are checked like any others. */
  constructor(poseidon: Poseidon, tree = new MerkleTree(poseidon)) {
    this.#poseidon = poseidon
    this.#tree = tree
  }

  get size(): number {
    return this.#tree.size
  }

  /** True if a root of the chain confirms all leaves it has, so that their notes can be paid. */
  get isVerified(): boolean {
    return this.#isVerified
  }

  /** True if it is verified and had every leaf of the chain at the last check. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** True once no root could be reproduced for minutes, until one is. */
  get isRefuted(): boolean {
    return this.#isRefuted
  }

  get root(): bigint {
    return this.#tree.root
  }

  /** The chain's root can't be reproduced from what a node shows: drops all leaves. */
  refute(nowMs: number): void {
    this.replace([])
    this.doubt(nowMs)
  }

  /** Later leaves are unavailable: the confirmed ones stay, and new orders stop if it lasts. */
  doubt(nowMs: number): void {
    const sinceMs = nowMs - (this.#refutedAtMs ?? nowMs)
    this.#refutations += 1
    this.#refutedAtMs = nowMs
    this.#refutedForMs += Math.min(Math.max(0, sinceMs), SILENCE_MAX_MS)
    const isLasting = this.#refutedForMs >= REFUTED_MS
    if (this.#refutations >= REFUTATIONS_MIN && isLasting) this.#isRefuted = true
  }

  /** Appends leaves; nothing can be proved until they are checked. */
  appendAll(leaves: readonly bigint[]): void {
    if (leaves.length === 0) return
    this.#tree.appendAll(leaves)
    this.#forgetCheck()
  }

  /**
   * Drops leaves that couldn't be recorded. The rest of a verified tree stays verified: its root was the
   * chain's after its last leaf, and the chain keeps its newest roots.
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
   * Compares the root with the chain's after the same leaf. One root commits to every leaf before it, so the
   * newest is enough. The caller has checked that the tree has as many leaves as the chain's head; an empty
   * tree therefore agrees, whatever has landed since.
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
   * Drops leaves from the end until the chain confirms the root of the rest, and returns how many remain; 0 if
   * none of the roots that the chain still holds is one of ours. Steps double: wrong leaves are nearly always
   * recent, and dropping a leaf too many only means reading it again. The remaining leaves are verified.
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

  /** The position that a proof of a note needs; undefined while the tree isn't verified. */
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
