import { ROOTS } from '@sotto/protocol'
import type {
  ChainFollow,
  FinalizedHead,
  FollowedDeposit,
  TreeTransaction,
} from '../../packages/server/src/ports/settlement-chain.ts'
import type { Block } from './fake-chain.ts'
import type { Node } from './node.ts'
import { hex, type Landed } from './transaction.ts'

/** What following reads; each request may reach another node. */
export function followPort(node: () => Node): ChainFollow {
  return {
    readHead: async () => headOf(node()),
    readTreeTransactions: async (lastSignature, head, slotFrom) => {
      const at = node()
      at.reached(head.slot)
      const within = at.chain.ledger.landed.filter(
        ({ slot, transaction }) =>
          transaction.message.kind === 'deposit' &&
          BigInt(slot) <= head.slot &&
          BigInt(slot) >= slotFrom,
      )
      const last = within.findIndex(({ transaction }) => transaction.signature === lastSignature)
      return disturbed(at, within.slice(last + 1)).map(treeTransactionOf)
    },
    readRoots: async (head) => {
      const at = node()
      const { position } = at.reached(head.slot)
      const { ledger } = at.chain
      const count = ledger.leavesAt(position)
      return {
        nextLeaf: BigInt(count),
        rootAfter: (index) =>
          index < count && index + ROOTS >= count ? ledger.leaves[index]?.root : undefined,
      }
    },
    readOrdersSeen: async (orderIds) => {
      const at = node()
      const { position } = at.at('confirmed')
      return orderIds.map((id) => {
        const order = at.chain.ledger.orders.read(hex(id), position)
        return order !== undefined && order !== null
      })
    },
  }
}

/** How far a node's wrong heights are off: two blockhashes' lifetimes. */
const HEIGHT_ERROR = 60

function headOf(node: Node): FinalizedHead {
  const block = node.at('finalized')
  return {
    slot: BigInt(block.slot),
    blockHeight: BigInt(toldHeight(node, block)),
    unixSeconds: block.unixSeconds,
    nextLeaf: BigInt(node.chain.ledger.leavesAt(block.position)),
  }
}

function toldHeight(node: Node, { height }: Block): number {
  const { faults, endpoint } = node
  const isLow = faults.fires('height_too_low', 'node')
  const isHigh = faults.fires('height_too_high', 'node')
  const once = isLow || isHigh ? faults.random.between(1, HEIGHT_ERROR) : 0
  const told = Math.max(0, height + endpoint.heightError + (isHigh ? once : -once))
  node.chain.told.take(height, told)
  return told
}

function disturbed({ faults, endpoint }: Node, listed: Landed[]): Landed[] {
  const result = listed.filter(({ transaction }) => !endpoint.hasLost(transaction.signature))
  if (result.length === 0) return result
  if (faults.fires('hidden_transaction', 'node')) {
    result.splice(faults.random.below(result.length), 1)
  }
  const one = result[0]
  if (one !== undefined && faults.fires('duplicated_listing', 'node')) result.push(one)
  // Within a slot the adapter reads the chain's accounts, so a node's order matters only between slots.
  if (result.length > 1 && faults.fires('disordered_listing', 'node')) {
    result.sort((one, other) => other.slot - one.slot)
  }
  return result
}

function treeTransactionOf(landed: Landed): TreeTransaction {
  const { transaction, slot, unixSeconds, failure } = landed
  const { signature, message } = transaction
  const deposits: FollowedDeposit[] = []
  if (message.kind === 'deposit' && failure === undefined) {
    const { terms } = message
    deposits.push({
      ...terms,
      isSwap: terms.sourceMint !== terms.destinationMint,
      // Accounts that no code behind this port reads.
      order: terms.sender,
      sourceAsset: terms.sourceMint,
      destinationAsset: terms.destinationMint,
    })
  }
  return { signature, slot: BigInt(slot), unixSeconds, deposits }
}
