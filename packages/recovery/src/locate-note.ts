import {
  decodeTree,
  leafOfNote,
  rootOfPath,
  ROOTS,
  CHECKPOINTS,
  type NotePosition,
  type Poseidon,
  type RootPlace,
  type Ticket,
} from '@sotto/protocol'
import { readAccount, readDepositHistory, readPool, type RecoveryRpc } from './deposit-history.ts'

/** A note found in the tree, and the root on chain that it can be proved against. */
export interface LocatedNote {
  readonly position: NotePosition
  readonly root: RootPlace
}

/**
 * Finds a ticket's note. With `known` (the status record's `recoveryProof`) that position is checked
 * against the chain's rings; without it the whole tree is rebuilt from the chain.
 * @throws Error where the deposit never happened or the ticket isn't of this pool.
 */
export async function locateNote(
  rpc: RecoveryRpc,
  poseidon: Poseidon,
  ticket: Ticket,
  known?: NotePosition,
): Promise<LocatedNote> {
  const position = known ?? (await positionFromChain(rpc, poseidon, ticket))
  const leaf = leafOfNote(poseidon, ticket.note)
  const root = rootOfPath(poseidon, leaf, position.leafIndex, position.path)
  return { position, root: await placeOfRoot(rpc, ticket, root) }
}

async function positionFromChain(
  rpc: RecoveryRpc,
  poseidon: Poseidon,
  ticket: Ticket,
): Promise<NotePosition> {
  const { tree, leafIndexes } = await readDepositHistory(rpc, ticket.program, poseidon)
  const index = leafIndexes.get(Buffer.from(ticket.orderId).toString('hex'))
  if (index === undefined) {
    throw new Error('this order was never deposited: nothing was paid and nothing is owed')
  }
  if (tree.leaf(index) !== leafOfNote(poseidon, ticket.note)) {
    throw new Error('the deposit of this order commits to other terms than the ticket')
  }
  return { leafIndex: BigInt(index), path: tree.path(index) }
}

async function placeOfRoot(rpc: RecoveryRpc, ticket: Ticket, root: bigint): Promise<RootPlace> {
  const data = await readAccount(rpc, (await readPool(rpc, ticket.program)).tree)
  if (data === undefined) throw new Error("the pool's tree is not there")
  const chain = decodeTree(data)
  for (let index = 0; index < ROOTS; index += 1) {
    if (chain.root(index) === root) return { kind: 'recent', index }
  }
  for (let index = 0; index < CHECKPOINTS; index += 1) {
    if (chain.checkpoint(index) === root) return { kind: 'checkpoint', index }
  }
  throw new Error('the path leads to no root the chain still keeps: rebuild it from the chain')
}
