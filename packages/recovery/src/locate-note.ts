import {
  CHECKPOINTS,
  CLOCK_SYSVAR,
  isLeafIndex,
  leafOfNote,
  orderAddress,
  RECENT,
  rootOfPath,
  shownClock,
  shownOrder,
  shownTree,
  type MerkleTree,
  type NotePosition,
  type Poseidon,
  type RootPlace,
  type Ticket,
  type TreeAccount,
  type UnixSeconds,
} from '@sotto/protocol'
import { clockDiffers, isPlausible } from './chain-time.ts'
import { leafCount, positionInRing, ringLeaves, type RingLeaves } from './leaves/ring-leaves.ts'
import { readNoteTree, type LeafOptions } from './note-tree.ts'
import {
  onFixedPool,
  readTogether,
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
  /**
   * True if the node's chain is a local one, whose clock may differ from this machine's. On any other chain, a clock
   * that is more than an hour from this machine's is not believed: a payment is refused, and no error says that it is
   * too early or too late, or that a deposit can't land any more.
   */
  readonly isLocalChain?: boolean | undefined
  /**
   * True if the chain has shown the transaction that appended the note. A tree without the note is then too old, so the
   * error is HISTORY_MISSING.
   */
  readonly isAppended?: boolean | undefined
}

/**
 * Finds a ticket's note: from the Tree account alone if possible, else from the whole tree.
 *
 * @throws RecoveryError NOT_DEPOSITED_YET, NEVER_DEPOSITED, TICKET_DIFFERS or CLOCK_DIFFERS if the tree doesn't contain
 *   the note; HISTORY_MISSING if older leaves can't be found, or if the endpoint's tree is older than the note;
 *   PATH_OUTDATED if the given position can't be used; WRONG_CLUSTER if the endpoint's cluster has no such pool.
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
  isRepeated = false,
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
  if (index === undefined) {
    if (options.isAppended === true) throw treeLags()
    const later = await readLater(rpc, ticket, whole.chain)
    if (!mayContain(later.leaves, leaf, leafCount(whole.chain.account))) {
      throw notDeposited(ticket, later, options)
    }
    if (isRepeated) throw treeLags()
    return locateOnce(rpc, poseidon, ticket, options, true)
  }
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

/** The facts that decide why a tree doesn't contain a note, all from the same slot. */
interface LaterFacts {
  readonly clock: UnixSeconds
  /** True if the Order account exists. */
  readonly hasOrder: boolean
  readonly leaves: RingLeaves
}

/**
 * Reads the clock, the Order and the newest leaves at one slot, after the tree was searched. The search can take hours,
 * and an endpoint may consist of several nodes. So a deposit that the clock and the Order imply may be newer than the
 * tree that was searched.
 */
async function readLater(
  rpc: RecoveryRpc,
  { program, orderId }: Ticket,
  { address }: TreeAtSlot,
): Promise<LaterFacts> {
  const accounts = [CLOCK_SYSVAR, await orderAddress(program, orderId), address]
  const [clock, order, tree] = await readTogether(rpc, accounts)
  const account = shownTree(program, tree)
  if (account === undefined) throw treeLags()
  const hasOrder = shownOrder(program, order) !== undefined
  return { clock: shownClock(clock), hasOrder, leaves: ringLeaves(account) }
}

/** True if a leaf may be among the leaves that were appended after the first `searched` leaves. */
function mayContain({ first, leaves }: RingLeaves, leaf: bigint, searched: number): boolean {
  return first > searched || leaves.slice(searched - first).includes(leaf)
}

const treeLags = (): RecoveryError =>
  new RecoveryError(
    'HISTORY_MISSING',
    "the endpoint's tree is older than this note: try again, or use another endpoint",
  )

/**
 * The error for a ticket whose leaf isn't in the tree. If the Order account exists, a deposit was made with terms that
 * differ from the ticket's. Until the deadline, the signed deposit can still land. A missing Order account doesn't
 * prove that nothing was paid: a deposit with other terms may have been made, and its Order account may have been
 * closed since. For a balance, the ticket may also be that of a payment's rest, which an endpoint that lags doesn't
 * show yet.
 */
function notDeposited(
  { note }: Ticket,
  { clock, hasOrder }: LaterFacts,
  { isLocalChain }: LocateOptions,
): RecoveryError {
  const isBalance = note.claim.kind === 'balance'
  if (hasOrder) {
    const message = 'the deposit of this order commits to terms that differ from the ticket'
    return new RecoveryError('TICKET_DIFFERS', isBalance ? `${message}, ${OR_REST}` : message)
  }
  if (clock <= note.deadline) {
    const leftSeconds = note.deadline - clock + 1n
    const message = `this order is not deposited yet, but its deposit can still land for ${leftSeconds} s by the chain's clock: keep the ticket`
    return new RecoveryError('NOT_DEPOSITED_YET', message)
  }
  if (!isPlausible(clock, isLocalChain)) return clockDiffers(clock)
  const message = "the chain has no deposit with this ticket's terms, and none can land any more"
  const result = isBalance ? `, ${OR_REST}` : ': this ticket recovers nothing'
  return new RecoveryError('NEVER_DEPOSITED', `${message}${result}`)
}

const OR_REST =
  'or this ticket is that of a rest, and the endpoint does not show the payment that left it: keep the ticket, and ' +
  'use an earlier ticket of the balance, or another endpoint'

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
