import {
  MerkleTree,
  fieldToBytes,
  RECENT,
  type NotePosition,
  type Poseidon,
  type RootPlace,
  type UnixSeconds,
} from '@sotto/protocol'
import type { RecentRoots } from '../../ports/settlement-chain.ts'
import { Doubts } from './doubts.ts'

/** A note's position in the tree, and the place of the chain's root to which its path leads. */
export interface ProvablePosition {
  readonly root: RootPlace
  readonly position: NotePosition
}

/**
 * The state of the tree:
 *
 * - `unchecked`: no root of the chain confirms all leaves in the tree yet.
 * - `verified`: a root of the chain confirms all leaves in the tree.
 * - `whole`: verified, and at the last check the tree had every leaf of the chain.
 */
type Standing = 'unchecked' | 'verified' | 'whole'

/** Number of leaves that are appended without a pause. Hashing them takes some tens of milliseconds. */
const PIECE = 2_048

/**
 * The note tree as this process knows it, and whether a root of the chain confirms it. While no root confirms the tree,
 * no note is delivered from it (invariant I9).
 */
export class VerifiedTree {
  readonly poseidon: Poseidon
  readonly #doubts = new Doubts()
  #tree: MerkleTree
  #standing: Standing = 'unchecked'
  /**
   * The chain's clock at the newest head whose leaves are all in the tree. Undefined before the first such head, and
   * after recorded leaves were dropped.
   */
  followedAt: UnixSeconds | undefined

  /** `tree` may contain leaves that were hashed earlier. These leaves count as unchecked. */
  constructor(poseidon: Poseidon, tree = new MerkleTree(poseidon)) {
    this.poseidon = poseidon
    this.#tree = tree
  }

  get size(): number {
    return this.#tree.size
  }

  /** True if a root of the chain confirms all leaves in the tree. Only then can their notes be paid. */
  get isVerified(): boolean {
    return this.#standing !== 'unchecked'
  }

  /** True if the tree is verified and had every leaf of the chain at the last check. */
  get isWhole(): boolean {
    return this.#standing === 'whole'
  }

  /** True if the chain's root couldn't be reproduced for minutes, and the chain has confirmed no root since then. */
  get isRefuted(): boolean {
    return this.#doubts.isLasting
  }

  get root(): bigint {
    return this.#tree.root
  }

  /**
   * Records that the chain's root can't be reproduced now. If this continues for minutes, the service stops new orders.
   */
  doubt(nowMs: number): void {
    this.#doubts.add(nowMs)
  }

  /** Appends leaves without a check. Before `check` confirms the tree's root, no note can be proved. */
  appendAll(leaves: readonly bigint[]): void {
    if (leaves.length === 0) return
    this.#tree.appendAll(leaves)
    this.#standing = 'unchecked'
  }

  /** Appends leaves if the chain confirms the root after them. Otherwise the tree keeps only its old leaves. */
  tryAppend(leaves: readonly bigint[], roots: RecentRoots): boolean {
    const [size, standing] = [this.size, this.#standing]
    this.appendAll(leaves)
    if (this.check(roots)) return true
    this.#tree.truncate(size)
    this.#standing = standing === 'whole' ? 'verified' : standing
    return false
  }

  /** Copies the leaves and the verification state of another tree. */
  adopt(other: VerifiedTree): void {
    this.#tree = other.#tree
    this.#standing = other.#standing
    if (other.isVerified) this.#doubts.clear()
  }

  /** Appends any number of leaves without a check, with pauses for other work. */
  async appendMany(leaves: readonly bigint[]): Promise<void> {
    for (let start = 0; start < leaves.length; start += PIECE) {
      this.appendAll(leaves.slice(start, start + PIECE))
      await new Promise(setImmediate)
    }
  }

  /**
   * Drops all leaves except the first `size` leaves. The rest of a verified tree stays verified, because the chain had
   * the same root after the same leaf.
   */
  truncate(size: number): void {
    if (size >= this.size) return
    this.#tree.truncate(size)
    if (this.isWhole) this.#standing = 'verified'
  }

  /** Replaces all leaves with these leaves. Afterwards the tree is unchecked. */
  replace(leaves: readonly bigint[]): void {
    this.#tree = new MerkleTree(this.poseidon)
    this.#tree.appendAll(leaves)
    this.#standing = 'unchecked'
  }

  /**
   * Compares the tree's root with the chain's root after the same leaf. A root commits to every leaf before it, so
   * comparing the newest root is enough. The caller must have checked that the tree has as many leaves as the chain's
   * head. So if the tree is empty, the chain is empty too, and they agree.
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
   * Drops leaves from the end until the chain confirms the root of the remaining leaves. Returns the number of
   * remaining leaves, which are all verified. The number is 0 if our tree never had any of the roots that the chain
   * still has. If all our leaves are older than those roots, no root can decide. Then the method drops nothing, marks
   * the tree as unchecked and returns undefined.
   *
   * Wrong leaves are nearly always recent. So the number of leaves that are dropped at once starts small, and doubles
   * with each step. If a right leaf is dropped, it is read again later.
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

  /** Returns the position of a note for its proof. Returns undefined if the tree isn't verified or lacks the leaf. */
  locate(leafIndex: number): ProvablePosition | undefined {
    if (!this.isVerified || leafIndex >= this.size) return undefined
    return {
      root: { kind: 'recent', index: (this.size - 1) % RECENT },
      position: { leafIndex: BigInt(leafIndex), path: this.#tree.path(leafIndex) },
    }
  }

  /** Returns the siblings of a leaf from the bottom up. @throws RangeError for a leaf that the tree doesn't have. */
  path(leafIndex: number): readonly bigint[] {
    return this.#tree.path(leafIndex)
  }

  /** Returns the nodes of a level from one index up to, but not including, another index: see `MerkleTree`. */
  nodesOf(level: number, from: number, to: number): Uint8Array {
    return this.#tree.nodesOf(level, from, to)
  }

  /** True if the tree has this leaf at index `from` or a later index. */
  has(leaf: bigint, from: number): boolean {
    // The tree keeps little-endian bytes.
    const wanted = fieldToBytes(leaf).reverse()
    const { buffer, byteOffset, length } = this.#tree.nodesOf(0, from, this.size)
    const nodes = Buffer.from(buffer, byteOffset, length)
    let at = nodes.indexOf(wanted)
    while (at >= 0 && at % wanted.length !== 0) at = nodes.indexOf(wanted, at + 1)
    return at >= 0
  }

  /** Returns the leaf at an index; undefined if the tree has no such leaf. */
  leaf(index: number): bigint | undefined {
    return this.#tree.leaf(index)
  }
}
