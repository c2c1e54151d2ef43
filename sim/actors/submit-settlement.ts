import {
  amount,
  MerkleTree,
  RECENT,
  settleInputs,
  type Address,
  type Note,
  type SettleRequest,
} from '@sotto/protocol'
import { DOMAIN } from '../chain/domain.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { quickProof } from '../chain/quick-proof.ts'
import type { Stage } from './stage.ts'

/** A note, and the index of its leaf in the finalized tree. */
export interface PlacedNote {
  readonly note: Note
  readonly leafIndex: number
}

/** Settles a note without the service. The wallet proves the settlement, signs the transaction and pays for it. */
export function submitSettlement(
  { chain, signatures }: Stage,
  wallet: Address,
  { note, leafIndex }: PlacedNote,
  request: SettleRequest,
): void {
  const { ledger } = chain
  const { position } = chain.blockAt('finalized')
  const leaves = ledger.leaves.slice(0, ledger.leavesAt(position))
  const tree = new MerkleTree(quickHash)
  tree.appendAll(leaves.map(({ leaf }) => leaf))
  const where = { leafIndex: BigInt(leafIndex), path: tree.path(leafIndex) }
  const inputs = settleInputs(quickHash, DOMAIN, note, where, request)
  const settlement = {
    ...{ isRefund: request.kind === 'refund', payee: payeeOf(note, request), time: request.time },
    root: { kind: 'recent', index: (leaves.length - 1) % RECENT } as const,
    nullifier: inputs.nullifier,
    payout: amount(inputs.payout),
    fee: amount(inputs.fee),
    changeLeaf: inputs.changeLeaf,
    proof: quickProof(inputs),
  }
  const message = { kind: 'settle', mint: note.mint, settlement, opensAccount: true } as const
  chain.mempool.add(signatures.sign(wallet, message, chain.blockAt('confirmed')))
}

function payeeOf({ claim, sender }: Note, request: SettleRequest): Address {
  if (request.kind === 'pay') return request.payee
  return request.kind === 'deliver' && claim.kind === 'transfer' ? claim.recipient : sender
}
