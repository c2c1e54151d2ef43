import {
  leafOfNote,
  rootOfPath,
  ROOTS,
  shownTree,
  CHECKPOINTS,
  type MerkleTree,
  type NotePosition,
  type Poseidon,
  type RootPlace,
  type Ticket,
} from '@sotto/protocol'
import { readDepositHistory, type DepositHistoryOptions } from './deposit-history.ts'
import { readAccount, readPool, type RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'

/** A note's position in the tree, and the root on chain against which it can be proved. */
export interface LocatedNote {
  readonly position: NotePosition
  readonly root: RootPlace
}

/**
 * Finds a ticket's note. With `known` (the status record's `recoveryProof`) that position is checked against
 * the chain's rings; without it the whole tree is rebuilt from the chain.
 * @throws RecoveryError if the deposit never happened or the ticket belongs to another pool.
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

/**
 * The position of a ticket's note, from the chain's history. With `options.known`, the pool's first leaves,
 * it reads only later deposits, so that a node without old history is enough.
 * @throws RecoveryError as `locateNote`.
 */
export async function positionFromChain(
  rpc: RecoveryRpc,
  poseidon: Poseidon,
  ticket: Ticket,
  options: DepositHistoryOptions = {},
): Promise<NotePosition> {
  const { tree, leafIndexes } = await readDepositHistory(rpc, ticket.program, poseidon, options)
  const leaf = leafOfNote(poseidon, ticket.note)
  const read = leafIndexes.get(Buffer.from(ticket.orderId).toString('hex'))
  // Searched by leaf: with a stolen authoriser key, other deposits can have the same id, before or after this
  // one.
  const index = read !== undefined && tree.leaf(read) === leaf ? read : indexOfLeaf(tree, leaf)
  if (index !== undefined) return { leafIndex: BigInt(index), path: tree.path(index) }
  if (read === undefined) {
    throw new RecoveryError(
      'NEVER_DEPOSITED',
      'this order was never deposited: nothing was paid and nothing is owed',
    )
  }
  throw new RecoveryError(
    'TICKET_DIFFERS',
    'the deposit of this order commits to other terms than the ticket',
  )
}

function indexOfLeaf(tree: MerkleTree, leaf: bigint): number | undefined {
  for (let index = 0; index < tree.size; index += 1) if (tree.leaf(index) === leaf) return index
  return undefined
}

async function placeOfRoot(rpc: RecoveryRpc, ticket: Ticket, root: bigint): Promise<RootPlace> {
  const { program } = ticket
  const chain = shownTree(program, await readAccount(rpc, (await readPool(rpc, program)).tree))
  if (chain === undefined) throw new Error("the pool's tree is not on this cluster")
  for (let index = 0; index < ROOTS; index += 1) {
    if (chain.root(index) === root) return { kind: 'recent', index }
  }
  for (let index = 0; index < CHECKPOINTS; index += 1) {
    if (chain.checkpoint(index) === root) return { kind: 'checkpoint', index }
  }
  throw new RecoveryError(
    'PATH_OUTDATED',
    'the path leads to no root the chain still keeps: rebuild it from the chain',
  )
}
