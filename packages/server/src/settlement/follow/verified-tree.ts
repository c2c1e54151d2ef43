import {
  MerkleTree,
  RECENT,
  type NotePosition,
  type Poseidon,
  type RootPlace,
  type UnixSeconds,
} from '@sotto/protocol'
import type { RecentRoots } from '../../ports/settlement-chain.ts'
import { Doubts } from './doubts.ts'

/** A note's position, and the chain's root to which its path leads. */
export interface ProvablePosition {
  readonly root: RootPlace
  readonly position: NotePosition
}

/**
 * The state of the tree: `unchecked`; `verified`, if a root of the chain confirms all leaves in it; or `whole`, if it
 * also had every leaf of the chain at the last check.
 */
type Standing = 'unchecked' | 'verified' | 'whole'

/** Number of leaves appended without a pause: some tens of milliseconds of hashing. */
const PIECE = 2_048

/**
 * The note tree as this process knows it, with its state of verification. Nothing is delivered from a tree whose root
 * the chain hasn't confirmed (I9).
 */
export class VerifiedTree {
  readonly poseidon: Poseidon
  readonly #doubts = new Doubts()
  #tree: MerkleTree
  #standing: Standing = 'unchecked'
  /** The chain's clock at the newest head whose leaves are all in the tree; undefined until the first such head. */
  followedAt: UnixSeconds | undefined

  /** `tree` may contain leaves that were hashed earlier. They count as unchecked. */
  constructor(poseidon: Poseidon, tree = new MerkleTree(poseidon)) {
    this.poseidon = poseidon
    this.#tree = tree
  }

  get size(): number {
    return this.#tree.size
  }

  /** True if a root of the chain confirms all leaves in the tree. Their notes can then be paid. */
  get isVerified(): boolean {
    return this.#standing !== 'unchecked'
  }

  /** True if the tree is verified and had every leaf of the chain at the last check. */
  get isWhole(): boolean {
    return this.#standing === 'whole'
  }

  /** True if for minutes the chain's root couldn't be reproduced, and no root has been confirmed since. */
  get isRefuted(): boolean {
    return this.#doubts.isLasting
  }

  get root(): bigint {
    return this.#tree.root
  }

  /** Records that the chain's root can't be reproduced now. If this persists, new orders stop. */
  doubt(nowMs: number): void {
    this.#doubts.add(nowMs)
  }

  /** Appends leaves without a check. Until they are checked, no proof can be made. */
  appendAll(leaves: readonly bigint[]): void {
    if (leaves.length === 0) return
    this.#tree.appendAll(leaves)
    this.#standing = 'unchecked'
  }

  /** Appends leaves if the chain confirms the root after them; otherwise the tree stays as it was. */
  tryAppend(leaves: readonly bigint[], roots: RecentRoots): boolean {
    const [size, standing] = [this.size, this.#standing]
    this.appendAll(leaves)
    if (this.check(roots)) return true
    this.#tree.truncate(size)
    this.#standing = standing === 'whole' ? 'verified' : standing
    return false
  }

  /** Takes over the leaves and the state of another tree. */
  adopt(other: VerifiedTree): void {
    this.#tree = other.#tree
    this.#standing = other.#standing
    if (other.isVerified) this.#doubts.clear()
  }

  /** Appends any number of leaves, with pauses for other work. */
  async appendMany(leaves: readonly bigint[]): Promise<void> {
    for (let start = 0; start < leaves.length; start += PIECE) {
      this.appendAll(leaves.slice(start, start + PIECE))
      await new Promise(setImmediate)
    }
  }

  /**
   * Drops leaves that couldn't be recorded. The rest of a verified tree stays verified, because the chain had the same
   * root after the same leaf.
   */
  truncate(size: number): void {
    if (size >= this.size) return
    this.#tree.truncate(size)
    if (this.isWhole) this.#standing = 'verified'
  }

  /** Replaces all leaves by these. */
  replace(leaves: readonly bigint[]): void {
    this.#tree = new MerkleTree(this.poseidon)
    this.#tree.appendAll(leaves)
    this.#standing = 'unchecked'
  }

  /**
   * Compares the root with the chain's root after the same leaf. One root commits to every leaf before it, so comparing
   * the newest is enough. The caller has checked that the tree has as many leaves as the chain's head. So an empty tree
   * agrees with an empty chain.
   */
  check(roots: RecentRoots): boolean {
    const isEqual =
      this.size === 0 ||
      (roots.nextLeaf >= BigInt(this.size) && roots.rootAfter(this.size - 1) === this.#tree.root)
    this.#standing = isEqual ? 'whole' : 'unchecked'
    if (isEqual) this.#doubts.clear()
    return isEqual
  }

  /**
   * Drops leaves from the end until the chain confirms the root of the rest. Returns the number of remaining leaves,
   * which are all verified. The number is 0 if our tree never had any of the roots that the chain still has. If all
   * leaves are older than those roots, the method changes nothing and returns undefined. The number of dropped leaves
   * doubles with each step, because wrong leaves are nearly always recent. A leaf that is dropped needlessly is read
   * again.
   */
  keepConfirmed(roots: RecentRoots): number | undefined {
    const whole = this.size
    if (whole > 0 && BigInt(whole + RECENT) <= roots.nextLeaf) {
      this.#standing = 'unchecked'
      return undefined
    }
    for (let dropped = 0, step = 1; dropped < whole && dropped <= RECENT; dropped += step) {
      this.truncate(whole - dropped)
      const root = roots.rootAfter(this.size - 1)
      if (root !== undefined && root === this.#tree.root) {
        this.#standing = 'verified'
        return this.size
      }
      if (dropped > 0) step *= 2
    }
    this.replace([])
    return 0
  }

  /** The position that a proof of a note needs; undefined while the tree isn't verified. */
  locate(leafIndex: number): ProvablePosition | undefined {
    if (!this.isVerified || leafIndex >= this.size) return undefined
    return {
      root: { kind: 'recent', index: (this.size - 1) % RECENT },
      position: { leafIndex: BigInt(leafIndex), path: this.#tree.path(leafIndex) },
    }
  }

  /** Siblings of a leaf from the bottom up. @throws RangeError for a leaf that the tree doesn't have. */
  path(leafIndex: number): readonly bigint[] {
    return this.#tree.path(leafIndex)
  }

  /** The leaf at an index; undefined past the end. */
  leaf(index: number): bigint | undefined {
    return this.#tree.leaf(index)
  }
}
