import { emptySubtrees, TREE_LEVELS, type Poseidon } from '@sotto/protocol'

/** The current tree, with its leaves and their siblings. */
interface Grown {
  readonly leaf: (index: number) => bigint | undefined
  /** Three siblings for each level, in the order of `MerkleTree.path`. */
  readonly path: (leafIndex: number) => readonly bigint[]
}

/** Returns the positions of the siblings of the node with this index, in the order of `MerkleTree.path`. */
function placesBeside(index: number): readonly [number, number, number] {
  const pair = (index ^ 2) & ~1
  return [index ^ 1, pair, pair + 1]
}

/** A tree as it was with fewer leaves, computed from the current tree. */
export class EarlierTree {
  readonly #grown: Grown
  readonly #size: number
  readonly #empty: readonly bigint[]
  /** For each level, the node above the last leaf. The last entry is the root. */
  readonly #open: readonly bigint[]

  /** @throws RangeError for size 0, or for a size greater than the tree's. */
  constructor(
    poseidon: Poseidon,
    grown: Grown,
    size: number,
    empty: readonly bigint[] = emptySubtrees(poseidon),
  ) {
    this.#grown = grown
    this.#size = size
    this.#empty = empty
    const last = grown.leaf(size - 1)
    if (last === undefined) throw new RangeError('the tree has fewer leaves than this size')
    const path = grown.path(size - 1)
    const open = [last]
    for (let level = 0; level < TREE_LEVELS; level += 1) {
      const index = this.#openIndex(level)
      const children = [0n, 0n, 0n, 0n]
      children[index % 4] = open[level] as bigint
      placesBeside(index).forEach((place, at) => {
        const left = path[3 * level + at] as bigint
        children[place % 4] = place < index ? left : (empty[level] as bigint)
      })
      open.push(poseidon(children))
    }
    this.#open = open
  }

  get root(): bigint {
    return this.#open[TREE_LEVELS] as bigint
  }

  /**
   * Returns the siblings of a leaf from the bottom up. @throws RangeError for a leaf that the earlier tree didn't have.
   */
  path(leafIndex: number): bigint[] {
    if (leafIndex >= this.#size) throw new RangeError('no such leaf')
    const now = this.#grown.path(leafIndex)
    return now.map((node, at) => {
      const level = Math.floor(at / 3)
      const place = placesBeside(Math.floor(leafIndex / 4 ** level))[at % 3] as number
      const open = this.#openIndex(level)
      if (place < open) return node
      return (place === open ? this.#open[level] : this.#empty[level]) as bigint
    })
  }

  #openIndex(level: number): number {
    return Math.floor((this.#size - 1) / 4 ** level)
  }
}
