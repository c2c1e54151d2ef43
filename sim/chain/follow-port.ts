import { RECENT, type RecentLeaf, unixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../packages/server/src/domain/whole-number.ts'
import type {
  Appended,
  ChainFollow,
  FinalizedHead,
  FollowedDeposit,
  TreeSnapshot,
  TreeTransaction,
} from '../../packages/server/src/ports/settlement-chain.ts'
import type { Block } from './fake-chain.ts'
import type { Ledger } from './ledger.ts'
import type { Node } from './node.ts'
import { quickHash } from './quick-hash.ts'
import { hex, type Landed, type Message } from './transaction.ts'

/** The chain port for following the chain. Each request may reach a different node. */
export function followPort(node: () => Node): ChainFollow {
  return {
    readHead: async () => headOf(node()),
    readEntries: async (head, from) => {
      const count = wholeNumber(head.nextLeaf) - from
      if (count > RECENT) throw new RangeError('the ring does not contain these leaves')
      const at = node()
      return disturbedEntries(at, from, entriesOf(at, from, count, at.reached(head.slot)))
    },
    readTree: async (slotMin) => {
      const at = node()
      return snapshotOf(at.chain.ledger, at.reached(slotMin))
    },
    readConfirmedLeaves: async (from) => {
      const { chain, ...at } = confirmed(node())
      const until = chain.ledger.leavesAt(at.position)
      const first = Math.max(from, until - RECENT)
      return chain.ledger.leaves.slice(first, Math.max(first, until)).map(({ leaf }) => leaf)
    },
    readHistory: async (slotFrom, head) => {
      const at = node()
      at.reached(head.slot)
      const within = at.chain.ledger.landed.filter(
        ({ slot, failure }) =>
          failure === undefined && BigInt(slot) <= head.slot && BigInt(slot) >= slotFrom,
      )
      return shown(at, within).map(treeTransactionOf).filter(hasAppended)
    },
    forgetHistory: () => undefined,
    readDepositIndexes: async (orderIds, slotMin) => {
      const at = node()
      const { position } = at.reached(slotMin)
      return orderIds.map((id) => {
        if (!at.chain.ledger.orders.read(hex(id), position)) return undefined
        const index = at.chain.ledger.leaves.findIndex(
          (leaf) => leaf.orderKey === hex(id) && leaf.position <= position,
        )
        return index < 0 ? undefined : index
      })
    },
    findDeposit: async (orderId) => {
      const at = node()
      const key = hex(orderId)
      const { position } = at.at('finalized')
      const found = at.chain.ledger.landed.find(
        ({ transaction: { message }, failure, position: landedAt }) =>
          failure === undefined &&
          landedAt <= position &&
          message.kind === 'deposit' &&
          hex(message.terms.orderId) === key,
      )
      const { signature } = found?.transaction ?? {}
      if (found === undefined || signature === undefined) return undefined
      const isHidden = at.faults.fires('missing_history', 'node') || at.endpoint.hasLost(signature)
      return isHidden
        ? undefined
        : { signature, slot: BigInt(found.slot), unixSeconds: found.unixSeconds }
    },
  }
}

const confirmed = (node: Node) => ({ chain: node.chain, position: node.at('confirmed').position })

/** The maximum error of a single wrong height, in blocks: twice the life of a blockhash. */
const HEIGHT_ERROR = 60

/** About half a day of slots. */
const FUTURE_SLOTS = 20_000
const FUTURE_SECONDS = 40_000n

function headOf(node: Node): FinalizedHead {
  const block = node.at('finalized')
  const isLying = node.endpoint.liesAboutHead()
  const ahead = isLying ? FUTURE_SLOTS : 0
  return {
    slot: BigInt(block.slot + ahead),
    blockHeight: BigInt(reportedHeight(node, block)),
    unixSeconds: unixSeconds(block.unixSeconds + (isLying ? FUTURE_SECONDS : 0n)),
    nextLeaf: BigInt(node.chain.ledger.leavesAt(block.position)),
  }
}

function reportedHeight(node: Node, { height }: Block): number {
  const { faults, endpoint } = node
  const isLow = faults.fires('height_too_low', 'node')
  const isHigh = faults.fires('height_too_high', 'node')
  const once = isLow || isHigh ? faults.random.between(1, HEIGHT_ERROR) : 0
  const reported = Math.max(0, height + endpoint.heightError + (isHigh ? once : -once))
  node.chain.reportedHeights.record(height, reported)
  return reported
}

const EMPTY: RecentLeaf = { leaf: 0n, root: 0n }

/** The entries of the ring at the places of these leaves, in the state of a block. */
function entriesOf({ chain }: Node, from: number, count: number, block: Block): RecentLeaf[] {
  return Array.from({ length: Math.max(0, count) }, (_, offset) =>
    entryAt(chain.ledger, from + offset, block.position),
  )
}

function entryAt(ledger: Ledger, index: number, position: number): RecentLeaf {
  const place = ledger.inRing(index, position)
  const leaf = place === undefined ? undefined : ledger.leaves[place]
  if (place === undefined || leaf === undefined) return EMPTY
  return {
    leaf: leaf.leaf,
    // The service compares few of a flood's roots, so a root is computed only when it is read.
    get root() {
      return ledger.rootAfter(place)
    },
  }
}

/** Maximum number of blocks between the two parts of an inconsistent ring. */
const TORN_BLOCKS_MAX = 40

/**
 * The entries that a node returns. Without a fault, all entries come from one block. A fault makes one entry wrong, or
 * mixes the entries of two blocks.
 */
function disturbedEntries(node: Node, from: number, entries: RecentLeaf[]): RecentLeaf[] {
  const { faults } = node
  if (entries.length === 0) return entries
  if (faults.fires('false_entry', 'node')) {
    const place = faults.random.below(entries.length)
    const { leaf, root } = entries[place] ?? EMPTY
    const isLeaf = faults.random.chance(0.5)
    const other = quickHash([leaf, root])
    entries[place] = isLeaf ? { leaf: other, root } : { leaf, root: other }
  }
  if (faults.fires('torn_ring', 'node')) {
    const old = node.chain.blockAt('finalized', faults.random.between(1, TORN_BLOCKS_MAX))
    const first = faults.random.below(entries.length)
    entries.splice(first, Infinity, ...entriesOf(node, from + first, entries.length - first, old))
  }
  return entries
}

function snapshotOf(ledger: Ledger, { slot, position }: Block): TreeSnapshot {
  const count = ledger.leavesAt(position)
  return {
    slot: BigInt(slot),
    nextLeaf: BigInt(count),
    lastCheckpointHour: ledger.leaves[count - 1]?.hour ?? 0n,
    entry: (index) =>
      index < count && index + RECENT >= count ? entryAt(ledger, index, position) : undefined,
    checkpoint: (hour) => {
      const last = ledger.lastOfHour(BigInt(hour), position)
      return last === undefined ? 0n : ledger.rootAfter(last)
    },
  }
}

/** The part of the history that a node returns. A faulty node leaves some transactions out. */
function shown({ faults, endpoint }: Node, listed: readonly Landed[]): Landed[] {
  const result = listed.filter(({ transaction }) => !endpoint.hasLost(transaction.signature))
  if (result.length > 0 && faults.fires('hidden_transaction', 'node')) {
    result.splice(faults.random.below(result.length), 1)
  }
  return result
}

const hasAppended = ({ appended }: TreeTransaction): boolean => appended.length > 0

function treeTransactionOf({ transaction, slot, unixSeconds }: Landed): TreeTransaction {
  const { signature, message } = transaction
  return { signature, slot: BigInt(slot), unixSeconds, appended: appendedBy(message) }
}

function appendedBy(message: Message): Appended[] {
  switch (message.kind) {
    case 'deposit': {
      const { terms } = message
      const deposit: FollowedDeposit = {
        ...terms,
        isSwap: terms.sourceMint !== terms.destinationMint,
        // The users of this port don't read the accounts, so any address will do.
        order: terms.sender,
        sourceAsset: terms.sourceMint,
        destinationAsset: terms.destinationMint,
      }
      return [{ kind: 'deposit', deposit }]
    }
    case 'settle':
      return [{ kind: 'change', leaf: message.settlement.changeLeaf }]
    case 'flood':
      return message.leaves.map((leaf) => ({ kind: 'change', leaf }))
    case 'close':
      return []
  }
}
