import { decodeOrder, nullifierOf, orderAddress, type Ticket } from '@sotto/protocol'
import {
  isSettled,
  readAccount,
  readChainClock,
  settlementTime,
  type RecoveryRpc,
} from '@sotto/recovery'
import { poseidon } from './poseidon.ts'

/** What the chain's accounts alone say of a note. */
export interface NoteState {
  /** `unknown`: no Order account; nothing was paid, or it is so long ago that the account was closed. */
  readonly deposit: 'paid' | 'taken' | 'unknown'
  /** Undefined where the deposit is unknown. */
  readonly isSettled: boolean | undefined
  readonly chainSeconds: bigint
  /** What can be done with the ticket now; of an unknown deposit, if it was paid and isn't settled. */
  readonly possible: 'deliver' | 'refund' | 'wait' | 'nothing'
}

/** Looks at Order, nullifier and clock; no history is needed. */
export async function readNoteState(rpc: RecoveryRpc, ticket: Ticket): Promise<NoteState> {
  const chainSeconds = await readChainClock(rpc)
  const data = await readAccount(rpc, await orderAddress(ticket.program, ticket.orderId))
  if (data === undefined) {
    const possible = possibleNow(chainSeconds, ticket.note.expiry)
    return { deposit: 'unknown', isSettled: undefined, chainSeconds, possible }
  }
  const { sender, leafIndex } = decodeOrder(data)
  if (sender !== ticket.note.sender) {
    return { deposit: 'taken', isSettled: undefined, chainSeconds, possible: 'nothing' }
  }
  const nullifier = nullifierOf(poseidon, ticket.note.nk, leafIndex)
  const settled = await isSettled(rpc, ticket, nullifier)
  const possible = settled ? 'nothing' : possibleNow(chainSeconds, ticket.note.expiry)
  return { deposit: 'paid', isSettled: settled, chainSeconds, possible }
}

function possibleNow(clock: bigint, expiry: bigint): NoteState['possible'] {
  for (const kind of ['deliver', 'refund'] as const) {
    try {
      settlementTime(kind, clock, expiry)
      return kind
    } catch {
      // Not this way now; the other may be open.
    }
  }
  return 'wait'
}
