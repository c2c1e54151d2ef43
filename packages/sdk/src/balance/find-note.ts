import { decodeTicket, type Address, type Ticket } from '@sotto/protocol'
import { RecoveryError, type LeafSource, type RecoveryRpc } from '@sotto/recovery'
import type { ChainContext } from './balance-context.ts'
import { onPool } from './on-pool.ts'
import { leafIndexOf } from './own-note.ts'

/** Codes of errors that mean that all leaves of the tree were read, and that the note's leaf isn't one of them. */
const ABSENT: ReadonlySet<string> = new Set(['NEVER_DEPOSITED', 'TICKET_DIFFERS'])

/**
 * The index of a ticket's note in the tree. Undefined if all leaves were read, none of them is the note's, and no
 * deposit of the note can land any more.
 * @throws RecoveryError NOT_DEPOSITED_YET if the deposit can still land; HISTORY_MISSING if the node doesn't show enough
 *   of the tree; CLOCK_DIFFERS if the node's clock isn't believed.
 */
export async function indexInTree(
  context: ChainContext,
  ticket: Ticket,
): Promise<bigint | undefined> {
  try {
    return await onPool(context, () => leafIndexOf(context, ticket))
  } catch (error) {
    if (error instanceof RecoveryError && ABSENT.has(error.code)) return undefined
    throw error
  }
}

export interface SearchedChain {
  readonly rpc: RecoveryRpc
  readonly programId: Address
  /** Sources of the older leaves that the Tree account no longer contains. The sources need not be trusted. */
  readonly leaves?: readonly LeafSource[] | undefined
  /**
   * True if the node's chain is a local one, whose clock may differ from this machine's. On any other chain, if
   * the node's clock is more than an hour from this machine's, it doesn't prove that a deposit can't land any more.
   */
  readonly isLocalChain?: boolean | undefined
}

/** Makes the option `findNote` of `transfer`. */
export const noteFinder =
  ({ rpc, programId, leaves = [], isLocalChain }: SearchedChain) =>
  (recovery: string): Promise<bigint | undefined> =>
    indexInTree({ rpc, programId, leaves, isLocalChain }, decodeTicket(recovery))
