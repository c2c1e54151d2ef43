import {
  CHECKPOINTS,
  emptySubtrees,
  RECENT,
  rootOfPath,
  TREE_ARITY,
  TREE_LEVELS,
  type NotePosition,
  type Poseidon,
  type TreeAccount,
  type TreeHeader,
} from '@sotto/protocol'

/** The newest leaves in a Tree account (the ring), and the index of the first of them. */
export interface RingLeaves {
  readonly first: number
  readonly leaves: readonly bigint[]
}

export const leafCount = ({ nextIndex }: TreeHeader): number => Number(nextIndex)

/**
 * Maps the last root of each finished hour to its checkpoint index. The last hour with a leaf is excluded, because it
 * may not be over.
 */
export function finishedHours({
  lastCheckpointHour,
  checkpoint,
}: TreeAccount): ReadonlyMap<bigint, number> {
  const last = Number(lastCheckpointHour) % CHECKPOINTS
  const hours = new Map<bigint, number>()
  for (let index = 0; index < CHECKPOINTS; index += 1) {
    const root = checkpoint(index)
    if (root !== 0n && index !== last) hours.set(root, index)
  }
  return hours
}

export const newestRoot = (tree: TreeAccount): bigint => tree.recent(leafCount(tree) - 1).root

export function ringLeaves(tree: TreeAccount): RingLeaves {
  const end = leafCount(tree)
  const first = Math.max(0, end - RECENT)
  return {
    first,
    leaves: Array.from({ length: end - first }, (_, place) => tree.recent(first + place).leaf),
  }
}

/**
 * The index of a leaf and its path to the newest root, computed from the Tree account alone. Some siblings are computed
 * from the ring's leaves. Others are stored in the account, because the program needs them to append the next leaf.
 * If leaves in the ring are equal, the first of them is meant, as in every other way to find a leaf, because two
 * settlements of one call must not spend different notes. An equal leaf that is older than the ring isn't noticed.
 * Undefined if the leaf or one of the siblings can't be found in these two ways.
 */
export function positionInRing(
  poseidon: Poseidon,
  tree: TreeAccount,
  leaf: bigint,
): NotePosition | undefined {
  const ring = ringLeaves(tree)
  const place = ring.leaves.indexOf(leaf)
  if (place < 0) return undefined
  const nodes = new KnownNodes(poseidon, tree, ring)
  const path: bigint[] = []
  let index = ring.first + place
  for (let level = 0; level < TREE_LEVELS; level += 1) {
    const pair = (index ^ 2) & ~1
    for (const sibling of [index ^ 1, pair, pair + 1]) {
      const node = nodes.at(level, sibling)
      if (node === undefined) return undefined
      path.push(node)
    }
    index = Math.floor(index / TREE_ARITY)
  }
  const position = { leafIndex: BigInt(ring.first + place), path }
  const isRoot = rootOfPath(poseidon, leaf, position.leafIndex, path) === newestRoot(tree)
  return isRoot ? position : undefined
}

/** The nodes of the tree that can be computed from a Tree account. */
class KnownNodes {
  readonly #poseidon: Poseidon
  readonly #tree: TreeAccount
  readonly #ring: RingLeaves
  readonly #empty: readonly bigint[]
  readonly #end: number

  constructor(poseidon: Poseidon, tree: TreeAccount, ring: RingLeaves) {
    this.#poseidon = poseidon
    this.#tree = tree
    this.#ring = ring
    this.#empty = emptySubtrees(poseidon)
    this.#end = leafCount(tree)
  }

  at(level: number, index: number): bigint | undefined {
    const width = TREE_ARITY ** level
    if (index * width >= this.#end) return this.#empty[level]
    const open = Math.floor(this.#end / width)
    const isBeside = Math.floor(index / TREE_ARITY) === Math.floor(open / TREE_ARITY)
    if (isBeside && index < open) return this.#tree.left(level, index % TREE_ARITY)
    if (level === 0) return this.#ring.leaves[index - this.#ring.first]
    // Some of this node's leaves are older than the ring, so the node can't be computed.
    if (index * width < this.#ring.first) return undefined
    const children: bigint[] = []
    for (let child = 0; child < TREE_ARITY; child += 1) {
      const node = this.at(level - 1, TREE_ARITY * index + child)
      if (node === undefined) return undefined
      children.push(node)
    }
    return this.#poseidon(children)
  }
}
