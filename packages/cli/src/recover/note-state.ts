import { nullifierOf, orderAddress, shownOrder, type Ticket } from '@sotto/protocol'
import {
  readAccount,
  readChainClock,
  readSettledNote,
  settlementTime,
  type RecoveryRpc,
  type SettledNote,
} from '@sotto/recovery'
import { poseidon } from './poseidon.ts'

/** A note's state according to the chain's accounts alone. */
export interface NoteState {
  /** `unknown`: no Order account; nothing was paid, or so long ago that the account was closed. */
  readonly deposit: 'paid' | 'taken' | 'unknown'
  /** Undefined if the deposit is unknown. */
  readonly isSettled: boolean | undefined
  /** How the note ended, if it did. */
  readonly settled: SettledNote | undefined
  readonly chainSeconds: bigint
  /** What the ticket can do now; for an unknown deposit, provided that it was paid and isn't settled. */
  readonly possible: 'deliver' | 'refund' | 'wait' | 'nothing'
}

/** Reads Order, nullifier and clock; needs no history. */
export async function readNoteState(rpc: RecoveryRpc, ticket: Ticket): Promise<NoteState> {
  const chainSeconds = await readChainClock(rpc)
  const account = await readAccount(rpc, await orderAddress(ticket.program, ticket.orderId))
  const order = shownOrder(ticket.program, account)
  if (order === undefined) {
    const possible = possibleNow(chainSeconds, ticket.note.expiry)
    return { deposit: 'unknown', isSettled: undefined, settled: undefined, chainSeconds, possible }
  }
  const { sender, leafIndex } = order
  if (sender !== ticket.note.sender) {
    const nothing = { isSettled: undefined, settled: undefined, possible: 'nothing' } as const
    return { deposit: 'taken', chainSeconds, ...nothing }
  }
  const nullifier = nullifierOf(poseidon, ticket.note.nk, leafIndex)
  const settled = await readSettledNote(rpc, ticket, nullifier)
  const isSettled = settled !== undefined
  const possible = isSettled ? 'nothing' : possibleNow(chainSeconds, ticket.note.expiry)
  return { deposit: 'paid', isSettled, settled, chainSeconds, possible }
}

function possibleNow(clock: bigint, expiry: bigint): NoteState['possible'] {
  for (const kind of ['deliver', 'refund'] as const) {
    try {
      settlementTime(kind, clock, expiry)
      return kind
    } catch {
      // This action isn't possible now; the other one may be.
    }
  }
  return 'wait'
}
