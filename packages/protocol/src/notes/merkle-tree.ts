import { TREE_DEPTH } from '../constants.ts'
import type { Poseidon } from './note.ts'

/** Hashes of empty subtrees by level: 0 is an empty leaf, `TREE_DEPTH` the empty root. */
export function emptySubtrees(poseidon: Poseidon): readonly bigint[] {
  const hashes = [0n]
  for (let level = 0; level < TREE_DEPTH; level += 1) {
    const below = hashes[level] as bigint
    hashes.push(poseidon([below, below]))
  }
  return hashes
}

/**
 * The append-only note tree with every node in memory, so that a path to any leaf costs no hash.
 * One append costs `TREE_DEPTH` hashes, as it does on chain.
 */
export class MerkleTree {
  readonly #poseidon: Poseidon
  readonly #empty: readonly bigint[]
  /** `#levels[n][i]` is node `i` of level `n`; nodes right of the last leaf are absent. */
  readonly #levels: bigint[][]

  constructor(poseidon: Poseidon) {
    this.#poseidon = poseidon
    this.#empty = emptySubtrees(poseidon)
    this.#levels = Array.from({ length: TREE_DEPTH + 1 }, () => [])
  }

  /** The number of leaves, which is the index of the next one. */
  get size(): number {
    return this.#level(0).length
  }

  get root(): bigint {
    return this.#node(TREE_DEPTH, 0)
  }

  leaf(index: number): bigint | undefined {
    return this.#level(0)[index]
  }

  /** Appends a leaf and returns the root that contains it. @throws RangeError when full. */
  append(leaf: bigint): bigint {
    this.appendAll([leaf])
    return this.root
  }

  /** Appends leaves; of many, each costs two hashes. @throws RangeError when full. */
  appendAll(leaves: readonly bigint[]): void {
    const from = this.size
    if (from + leaves.length > 2 ** TREE_DEPTH) throw new RangeError('the note tree is full')
    const level = this.#level(0)
    for (const leaf of leaves) level.push(leaf)
    if (leaves.length > 0) this.#hashFrom(from)
  }

  /** Siblings of a leaf from the bottom up. @throws RangeError for a leaf that isn't there. */
  path(leafIndex: number): bigint[] {
    if (leafIndex < 0 || leafIndex >= this.size) throw new RangeError('no such leaf')
    const siblings: bigint[] = []
    let index = leafIndex
    for (let level = 0; level < TREE_DEPTH; level += 1) {
      siblings.push(this.#node(level, index ^ 1))
      index >>= 1
    }
    return siblings
  }

  /** Drops every leaf from `size` on; what remains is the tree as it was then. */
  truncate(size: number): void {
    if (size >= this.size) return
    this.#levels.forEach((nodes, level) => {
      nodes.length = Math.min(nodes.length, Math.ceil(size / 2 ** level))
    })
    if (size > 0) this.#hashFrom(size - 1)
  }

  /** Hashes every node above the leaves from index `from` to the end. */
  #hashFrom(from: number): void {
    let first = from
    let last = this.size - 1
    for (let level = 1; level <= TREE_DEPTH; level += 1) {
      first >>= 1
      last >>= 1
      const nodes = this.#level(level)
      for (let index = first; index <= last; index += 1) {
        const below = level - 1
        nodes[index] = this.#poseidon([
          this.#node(below, 2 * index),
          this.#node(below, 2 * index + 1),
        ])
      }
    }
  }

  #level(level: number): bigint[] {
    return this.#levels[level] as bigint[]
  }

  #node(level: number, index: number): bigint {
    return this.#level(level)[index] ?? (this.#empty[level] as bigint)
  }
}

/** The root that a leaf and its siblings lead to. */
export function rootOfPath(
  poseidon: Poseidon,
  leaf: bigint,
  leafIndex: bigint,
  path: readonly bigint[],
): bigint {
  let node = leaf
  path.forEach((sibling, level) => {
    const isRight = ((leafIndex >> BigInt(level)) & 1n) === 1n
    node = poseidon(isRight ? [sibling, node] : [node, sibling])
  })
  return node
}
