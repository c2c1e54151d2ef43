import {
  CHECKPOINTS,
  isLeafIndex,
  leafOfNote,
  orderAddress,
  RECENT,
  rootOfPath,
  shownOrder,
  type MerkleTree,
  type NotePosition,
  type Poseidon,
  type RootPlace,
  type Ticket,
  type TreeAccount,
} from '@sotto/protocol'
import { leafCount, positionInRing } from './leaves/ring-leaves.ts'
import { readNoteTree, type LeafOptions } from './note-tree.ts'
import {
  onFixedPool,
  readAccount,
  readChainClock,
  readTree,
  type RecoveryRpc,
  type TreeAtSlot,
} from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'
import { underCheckpoint } from './under-checkpoint.ts'

/** A note's position in the tree, and the on-chain root against which the note can be proved. */
export interface LocatedNote {
  readonly position: NotePosition
  readonly root: RootPlace
  readonly chain: TreeAtSlot
}

export interface LocateOptions extends LeafOptions {
  /**
   * The `recoveryProof` of a status record. It need not be trusted: it is accepted only if its path leads to a root
   * that the chain keeps.
   */
  readonly position?: NotePosition | undefined
  /**
   * The root to prove against. `newest`: the newest root. `checkpoint`: the last root of an hour, which the chain
   * keeps for weeks, or the newest root if no checkpoint can be used.
   */
  readonly against?: 'newest' | 'checkpoint' | undefined
}

/**
 * Finds a ticket's note: from the Tree account alone if possible, else from the whole tree.
 *
 * @throws RecoveryError if the deposit was never made, if the ticket belongs to another pool, or if older leaves
 *   can't be found.
 */
export function locateNote(
  rpc: RecoveryRpc,
  poseidon: Poseidon,
  ticket: Ticket,
  options: LocateOptions = {},
): Promise<LocatedNote> {
  const locate = () => locateOnce(rpc, poseidon, ticket, options)
  return onFixedPool(rpc, ticket.program, locate)
}

async function locateOnce(
  rpc: RecoveryRpc,
  poseidon: Poseidon,
  ticket: Ticket,
  options: LocateOptions,
): Promise<LocatedNote> {
  const chain = await readTree(rpc, ticket.program)
  const leaf = leafOfNote(poseidon, chain.domain, ticket.note)
  if (options.position !== undefined) {
    const { leafIndex, path } = options.position
    if (!isLeafIndex(leafIndex)) {
      const message = 'the position of this path is outside the tree: build the path from the chain'
      throw new RecoveryError('PATH_OUTDATED', message)
    }
    const root = placeOfRoot(chain.account, rootOfPath(poseidon, leaf, leafIndex, path))
    return { position: options.position, root, chain }
  }
  const isNewest = options.against !== 'checkpoint'
  const inRing = isNewest ? positionInRing(poseidon, chain.account, leaf) : undefined
  if (inRing !== undefined) return { position: inRing, root: placeOfNewest(chain), chain }
  const whole = await readNoteTree(rpc, ticket.program, poseidon, options)
  const index = indexOfLeaf(whole.tree, leaf)
  if (index === undefined) throw await notDeposited(rpc, ticket)
  const position = { leafIndex: BigInt(index), path: whole.tree.path(index) }
  const lasting = isNewest ? undefined : underCheckpoint(whole.tree, whole.chain.account, index)
  if (lasting !== undefined) return { ...lasting, chain: whole.chain }
  return { position, root: placeOfNewest(whole.chain), chain: whole.chain }
}

/** The position of a ticket's note under the newest root. @throws RecoveryError as `locateNote` does. */
export async function positionFromChain(
  rpc: RecoveryRpc,
  poseidon: Poseidon,
  ticket: Ticket,
  options: LeafOptions = {},
): Promise<NotePosition> {
  return (await locateNote(rpc, poseidon, ticket, options)).position
}

const placeOfNewest = ({ account }: TreeAtSlot): RootPlace => ({
  kind: 'recent',
  index: (leafCount(account) - 1) % RECENT,
})

/**
 * The error for a ticket whose leaf isn't in the tree. If the Order account exists, a deposit was made with terms that
 * differ from the ticket's. Until the deadline, the signed deposit can still land. A missing Order account doesn't
 * prove that nothing was paid: a deposit with other terms may have been made, and its Order account may have been
 * closed since.
 */
async function notDeposited(rpc: RecoveryRpc, ticket: Ticket): Promise<RecoveryError> {
  const { program, orderId, note } = ticket
  // The clock is read first. If it is past the deadline, an Order account that is missing afterwards stays missing.
  const clock = await readChainClock(rpc)
  const order = shownOrder(program, await readAccount(rpc, await orderAddress(program, orderId)))
  if (order !== undefined) {
    const message = 'the deposit of this order commits to terms that differ from the ticket'
    return new RecoveryError('TICKET_DIFFERS', message)
  }
  if (clock <= note.deadline) {
    const leftSeconds = note.deadline - clock + 1n
    const message = `this order is not deposited yet, but its deposit can still land for ${leftSeconds} s by the chain's clock: keep the ticket`
    return new RecoveryError('NOT_DEPOSITED_YET', message)
  }
  const message =
    "the chain has no deposit with this ticket's terms, and none can land any more: this ticket recovers nothing"
  return new RecoveryError('NEVER_DEPOSITED', message)
}

function indexOfLeaf(tree: MerkleTree, leaf: bigint): number | undefined {
  for (let index = 0; index < tree.size; index += 1) if (tree.leaf(index) === leaf) return index
  return undefined
}

function placeOfRoot(account: TreeAccount, root: bigint): RootPlace {
  for (let index = 0; index < RECENT; index += 1) {
    if (account.recent(index).root === root) return { kind: 'recent', index }
  }
  for (let index = 0; index < CHECKPOINTS; index += 1) {
    if (account.checkpoint(index) === root) return { kind: 'checkpoint', index }
  }
  throw new RecoveryError(
    'PATH_OUTDATED',
    'the chain no longer keeps the root of this path: build the path again from the chain',
  )
}
