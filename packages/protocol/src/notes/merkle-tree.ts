import { TREE_ARITY, TREE_LEAVES, TREE_LEVELS } from '../constants.ts'
import { FIELD_MODULUS } from '../field.ts'
import { NODE_BYTES, NodeList, readNode, writeNode } from './node-list.ts'
import type { Poseidon } from './note.ts'

/**
 * Caches the hashes of empty subtrees for each hash function. They are constant, and each tree of a process needs them.
 */
const known = new WeakMap<Poseidon, readonly bigint[]>()

/**
 * Hashes of empty subtrees by level: level 0 is an empty leaf, and level `TREE_LEVELS` is the root of an empty tree.
 */
export function emptySubtrees(poseidon: Poseidon): readonly bigint[] {
  const hashes = known.get(poseidon) ?? hashEmptySubtrees(poseidon)
  known.set(poseidon, hashes)
  return hashes
}

function hashEmptySubtrees(poseidon: Poseidon): readonly bigint[] {
  const hashes = [0n]
  for (let level = 0; level < TREE_LEVELS; level += 1) {
    const below = hashes[level] as bigint
    hashes.push(poseidon([below, below, below, below]))
  }
  return hashes
}

/**
 * The append-only note tree. It keeps every node in memory, so reading a path requires no hashing. As on chain,
 * appending one leaf takes one hash for each level.
 */
export class MerkleTree {
  readonly #poseidon: Poseidon
  readonly #empty: readonly bigint[]
  /** Nodes by level, from the leaves up. Nodes right of the last leaf are absent. */
  readonly #levels: readonly NodeList[]

  /** Creates an empty tree, or a tree with the given lists of nodes. */
  constructor(poseidon: Poseidon, levels: readonly NodeList[] = []) {
    this.#poseidon = poseidon
    this.#empty = emptySubtrees(poseidon)
    this.#levels = Array.from({ length: TREE_LEVELS + 1 }, (_, at) => levels[at] ?? new NodeList())
  }

  /**
   * Creates a tree from its stored levels, leaves first, 32 little-endian bytes per node. Each level has a quarter as
   * many nodes as the level below it, rounded up. The tree uses the given memory without a copy. The nodes aren't
   * checked here, so the caller must compare the tree's root with a root that it knows.
   */
  static fromLevels(poseidon: Poseidon, levels: readonly Uint8Array[]): MerkleTree {
    const lists = levels.map((nodes) => new NodeList(nodes, nodes.length / NODE_BYTES))
    const tree = new MerkleTree(poseidon, lists)
    if (tree.size > 0) tree.#hashFrom(0, levels.length)
    return tree
  }

  /**
   * Creates a tree from the complete nodes that `nodesOf` returned, without hashing them again. Only the nodes above
   * the last leaves are hashed.
   *
   * @param size number of leaves
   * @param levels memory with the complete nodes of each level, leaves first, which the tree uses without a copy
   */
  static fromCompleteNodes(
    poseidon: Poseidon,
    size: number,
    levels: readonly Uint8Array[],
  ): MerkleTree {
    const lists = levels.map(
      (nodes, level) => new NodeList(nodes, Math.floor(size / TREE_ARITY ** level)),
    )
    const tree = new MerkleTree(poseidon, lists)
    if (size > 0) tree.#hashFrom(size)
    return tree
  }

  /** The number of leaves, which is also the index of the next leaf. */
  get size(): number {
    return this.#level(0).length
  }

  get root(): bigint {
    return this.#node(TREE_LEVELS, 0)
  }

  leaf(index: number): bigint | undefined {
    return this.#level(0).at(index)
  }

  /** Appends a leaf and returns the root that contains it. @throws RangeError as `appendAll` does. */
  append(leaf: bigint): bigint {
    this.appendAll([leaf])
    return this.root
  }

  /**
   * Appends leaves. A large batch needs only about one hash for every three leaves.
   * @throws RangeError if the tree is full or a leaf isn't an element of the field.
   */
  appendAll(leaves: readonly bigint[]): void {
    const from = this.size
    if (BigInt(from + leaves.length) > TREE_LEAVES) throw new RangeError('the note tree is full')
    const isElement = (leaf: bigint) => leaf >= 0n && leaf < FIELD_MODULUS
    if (!leaves.every(isElement)) throw new RangeError('not an element of the field')
    const level = this.#level(0)
    for (const leaf of leaves) level.push(leaf)
    if (leaves.length > 0) this.#hashFrom(from)
  }

  /**
   * The siblings of the nodes on a leaf's path: three for each level, from the bottom up. At each level, the first
   * sibling is the node whose index differs from the path's index only in the lowest bit. The other two siblings follow
   * from left to right.
   * @throws RangeError if the tree has no such leaf.
   */
  path(leafIndex: number): bigint[] {
    if (leafIndex < 0 || leafIndex >= this.size) throw new RangeError('no such leaf')
    const siblings: bigint[] = []
    let index = leafIndex
    for (let level = 0; level < TREE_LEVELS; level += 1) {
      const pair = (index ^ 2) & ~1
      for (const place of [index ^ 1, pair, pair + 1]) siblings.push(this.#node(level, place))
      index = Math.floor(index / TREE_ARITY)
    }
    return siblings
  }

  /**
   * The nodes of a level from index `from` up to, but excluding, `to`, 32 little-endian bytes each. They share the
   * tree's memory. A node is complete if all leaves below it exist. A complete node changes only if leaves are dropped.
   */
  nodesOf(level: number, from: number, to: number): Uint8Array {
    return this.#level(level).bytesOf(from, to)
  }

  /** Drops all leaves except the first `size` leaves. The result is the earlier tree of that size. */
  truncate(size: number): void {
    if (size >= this.size) return
    this.#levels.forEach((nodes, level) => nodes.truncate(Math.ceil(size / TREE_ARITY ** level)))
    if (size > 0) this.#hashFrom(size - 1)
  }

  /** Rehashes all nodes that lie above leaf `from` or a later leaf, beginning at level `lowest`. */
  #hashFrom(from: number, lowest = 1): void {
    for (let level = lowest; level <= TREE_LEVELS; level += 1) {
      const first = Math.floor(from / TREE_ARITY ** level)
      const below = this.#level(level - 1)
      const children = below.quadsFrom(TREE_ARITY * first, this.#empty[level - 1] as bigint)
      this.#level(level).replaceFrom(first, this.#hashQuads(children))
    }
  }

  #hashQuads(nodes: Uint8Array): Uint8Array {
    if (this.#poseidon.hashQuads !== undefined) return this.#poseidon.hashQuads(nodes)
    const hashes = new Uint8Array(nodes.length / TREE_ARITY)
    for (let index = 0; 32 * index < hashes.length; index += 1) {
      const children = [0, 1, 2, 3].map((child) => readNode(nodes, TREE_ARITY * index + child))
      writeNode(hashes, index, this.#poseidon(children))
    }
    return hashes
  }

  #level(level: number): NodeList {
    return this.#levels[level] as NodeList
  }

  #node(level: number, index: number): bigint {
    return this.#level(level).at(index) ?? (this.#empty[level] as bigint)
  }
}

/** True if a tree can have a leaf with this index. */
export const isLeafIndex = (leafIndex: bigint): boolean =>
  leafIndex >= 0n && leafIndex < TREE_LEAVES

/**
 * Computes the root from a leaf and its siblings, in the order of `MerkleTree.path`.
 * @throws RangeError if the index is outside the tree. Its higher bits would not change the root, so without this check
 *   a wrong index would seem right.
 */
export function rootOfPath(
  poseidon: Poseidon,
  leaf: bigint,
  leafIndex: bigint,
  path: readonly bigint[],
): bigint {
  if (!isLeafIndex(leafIndex)) throw new RangeError('the tree has no such leaf')
  let node = leaf
  for (let level = 0; 3 * level < path.length; level += 1) {
    const [near = 0n, left = 0n, right = 0n] = path.slice(3 * level, 3 * level + 3)
    const place = (leafIndex >> BigInt(2 * level)) & 3n
    const pair = place % 2n === 0n ? [node, near] : [near, node]
    node = poseidon(place < 2n ? [...pair, left, right] : [left, right, ...pair])
  }
  return node
}
