import { MerkleTree, type Poseidon } from '@sotto/protocol'
import type { Address, Signature } from '@solana/kit'
import { leafReader } from './history/appended-leaves.ts'
import { historyNode, type HistoryNode } from './history/history-node.ts'
import {
  memoryStore,
  type AppendingTransaction,
  type HistoryStore,
} from './history/history-store.ts'
import { inParallel } from './in-parallel.ts'
import { HistoryReader, type HistoryOptions } from './history/read-history.ts'
import { leavesIn, upToRing } from './history/up-to-ring.ts'
import { readSource, type LeafSource } from './leaves/leaf-source.ts'
import { leafCount, newestRoot, ringLeaves } from './leaves/ring-leaves.ts'
import { onFixedPool, readTree, type RecoveryRpc, type TreeAtSlot } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'

/** Options for finding the leaves that the Tree account no longer contains. */
export interface LeafOptions {
  /**
   * Sources of these leaves, asked in this order. They need not be trusted: a source is skipped if it fails or if its
   * leaves are wrong.
   */
  readonly sources?: readonly LeafSource[] | undefined
  /** Called with the reason for each source that is skipped. */
  readonly onRefused?: ((reason: string) => void) | undefined
  /** Options for reading the chain's history if no source has the leaves. */
  readonly history?: HistoryOptions | undefined
}

/** A pool's whole tree, and the Tree account with the same root. */
export interface NoteTree {
  readonly tree: MerkleTree
  readonly chain: TreeAtSlot
}

type Leaves = readonly bigint[]

/** Builds trees from leaves, and compares their roots with the chain's root. */
class TreeMaker {
  readonly chain: TreeAtSlot
  /** The number of leaves that are older than the ring, which is the Tree account's list of the newest leaves. */
  readonly olderCount: number
  /** The leaves in the ring. */
  readonly newest: readonly bigint[]
  readonly #poseidon: Poseidon

  constructor(chain: TreeAtSlot, poseidon: Poseidon) {
    const { first, leaves } = ringLeaves(chain.account)
    this.chain = chain
    this.olderCount = first
    this.#poseidon = poseidon
    this.newest = leaves
  }

  /**
   * The tree of the older leaves followed by the ring's leaves. Undefined if its root differs from the chain's root.
   */
  make(older: readonly bigint[]): MerkleTree | undefined {
    if (older.length < this.olderCount) return undefined
    const tree = new MerkleTree(this.#poseidon)
    tree.appendAll(older.slice(0, this.olderCount))
    tree.appendAll(this.newest)
    return tree.size === 0 || tree.root === newestRoot(this.chain.account) ? tree : undefined
  }
}

/**
 * The pool's whole tree. The newest leaves come from the Tree account. Older leaves come from published lists. If no
 * list has them, they come from the transactions that named the tree: from instruction data, never from logs (I9).
 *
 * @throws RecoveryError HISTORY_MISSING if no source leads to the chain's root.
 */
export function readNoteTree(
  rpc: RecoveryRpc,
  program: Address,
  poseidon: Poseidon,
  options: LeafOptions = {},
): Promise<NoteTree> {
  return onFixedPool(rpc, program, () => readOnce(rpc, program, poseidon, options))
}

async function readOnce(
  rpc: RecoveryRpc,
  program: Address,
  poseidon: Poseidon,
  options: LeafOptions,
): Promise<NoteTree> {
  const chain = await readTree(rpc, program)
  const maker = new TreeMaker(chain, poseidon)
  const known = maker.make([]) ?? (await fromSources(maker, options))
  if (known instanceof MerkleTree) return { tree: known, chain }
  const tree = await fromChain(rpc, maker, poseidon, known, options.history)
  if (tree !== undefined) return { tree, chain }
  throw new RecoveryError(
    'HISTORY_MISSING',
    "the endpoint's history does not lead to the chain's root: use an endpoint with full history, or published leaves",
  )
}

/**
 * The tree, if a source returned all leaves. Otherwise every incomplete list of leaves that a source returned, starting
 * with the first leaf of the tree. Only the history shows which of these lists are true, so none replaces another.
 */
async function fromSources(
  maker: TreeMaker,
  { sources = [], onRefused }: LeafOptions,
): Promise<MerkleTree | readonly Leaves[]> {
  const lists: Leaves[] = []
  for (const source of sources) {
    try {
      const leaves = await readSource(source, maker.olderCount)
      const tree = maker.make(leaves)
      if (tree !== undefined) return tree
      if (leaves.length === maker.olderCount)
        onRefused?.("its leaves do not lead to the chain's root")
      else if (leaves.length > 0) lists.push(leaves)
    } catch (error) {
      onRefused?.(error instanceof Error ? error.message : String(error))
    }
  }
  return lists
}

/**
 * The tree from the chain's transactions and the lists of its oldest leaves. If the pages that an earlier run has kept
 * don't lead to the chain's root, everything is read again: a node may have omitted a transaction or shown a false one,
 * and no later reading would fill such a gap. The kept pages are replaced only by pages that lead to the root.
 */
async function fromChain(
  rpc: RecoveryRpc,
  maker: TreeMaker,
  poseidon: Poseidon,
  lists: readonly Leaves[],
  options: HistoryOptions = {},
): Promise<MerkleTree | undefined> {
  const node = historyNode(rpc, options)
  const leavesOf = leafReader(rpc, maker.chain, poseidon)
  const readWith = (store: HistoryStore) => {
    const reader = new HistoryReader(node, maker.chain.address, leavesOf, { ...options, store })
    return fromPrefixes(maker, node, reader, lists)
  }
  const { store = memoryStore() } = options
  const hasKept = (await store.load()).length > 0
  const tree = await readWith(store).catch((error: unknown) => {
    // A kept transaction may be in a block that the node doesn't have.
    if (hasKept && error instanceof RecoveryError) return undefined
    throw error
  })
  if (tree !== undefined || !hasKept) return tree
  const fresh = memoryStore()
  const again = await readWith(fresh)
  if (again === undefined) return undefined
  await store.forget()
  await store.add('older', await fresh.load())
  return again
}

/**
 * Tries each list as the oldest leaves, the longest first, because it needs the least history. The last try uses no
 * list.
 */
async function fromPrefixes(
  maker: TreeMaker,
  node: HistoryNode,
  reader: HistoryReader,
  lists: readonly Leaves[],
): Promise<MerkleTree | undefined> {
  for (const prefix of [...lists, []].sort((one, other) => other.length - one.length)) {
    const tree = await fromHistory(maker, node, reader, prefix)
    if (tree !== undefined) return tree
  }
  return undefined
}

async function fromHistory(
  maker: TreeMaker,
  node: HistoryNode,
  reader: HistoryReader,
  prefix: readonly bigint[],
): Promise<MerkleTree | undefined> {
  const { slot, account } = maker.chain
  const wanted = leafCount(account) - prefix.length
  // The account was read at this slot, so it doesn't contain the leaves of later transactions.
  const included = (found: readonly AppendingTransaction[]) =>
    found.filter((one) => one.slot <= slot)
  const enough = (least: number) => {
    let counted = 0
    let sum = 0
    // The list grows only at its end, so count only the pages that are new.
    return (all: readonly AppendingTransaction[]) => {
      for (const one of included(all.slice(counted))) sum += one.leaves.length
      counted = all.length
      return sum >= least
    }
  }
  const make = (newestFirst: readonly AppendingTransaction[]) => {
    const leaves = upToRing(leavesIn(newestFirst), maker.newest)
    return leaves.length < wanted ? undefined : maker.make([...prefix, ...leaves.slice(-wanted)])
  }
  const found = included(await reader.read(enough(wanted)))
  const made = make(found)
  if (made !== undefined) return made
  const ordered = await inBlockOrder(node, found)
  const listed = leavesIn(ordered)
  const surplus = listed.length - upToRing(listed, maker.newest).length
  if (surplus === 0) return make(ordered)
  // The count of read leaves includes leaves that the full tree did not accept. So the same number of older leaves is
  // still missing. Read that many more.
  const more = included(await reader.read(enough(wanted + surplus)))
  return make(more) ?? make(await inBlockOrder(node, more))
}

/** Maximum number of blocks that are read at the same time. */
const BLOCKS = 8

/**
 * Sorts the transactions of each slot as their block does, newest first. Nodes don't guarantee an order within a slot,
 * so the order is read from the block.
 */
async function inBlockOrder(
  node: HistoryNode,
  newestFirst: readonly AppendingTransaction[],
): Promise<AppendingTransaction[]> {
  const bySlot = new Map<bigint, AppendingTransaction[]>()
  for (const one of newestFirst) {
    const sharing = bySlot.get(one.slot)
    if (sharing === undefined) bySlot.set(one.slot, [one])
    else sharing.push(one)
  }
  const sorted = await inParallel([...bySlot], BLOCKS, async ([slot, sharing]) => {
    if (sharing.length < 2) return sharing
    const order = new Map<Signature, number>()
    for (const [place, signature] of (await node.blockOrder(slot)).entries()) {
      order.set(signature, place)
    }
    const placeOf = ({ signature }: AppendingTransaction) => order.get(signature) ?? 0
    return sharing.sort((one, other) => placeOf(other) - placeOf(one))
  })
  return sorted.flat()
}
