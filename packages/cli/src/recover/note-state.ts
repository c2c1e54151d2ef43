import { wasmPoseidon } from '@sotto/poseidon'
import {
  CLOCK_SYSVAR,
  CLOSE_DELAY_SECONDS,
  nullifierOf,
  orderAddress,
  shownClock,
  shownOrder,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import {
  clockDiffers,
  isPlausible,
  readSettledNote,
  readTogether,
  RecoveryError,
  settlementTime,
  type RecoveryRpc,
  type SettledNote,
} from '@sotto/recovery'

/** A note's state, read from the chain's accounts alone. */
export interface NoteState {
  /**
   * `unknown`: there is no Order account. Either the deposit was never made, or it was made so long ago that the
   * account was closed. `taken`: another sender has deposited under the order's id. A note lives longer than its Order
   * account. So the deposit is also `unknown` if another sender has used the order's id after the account could have
   * been closed. For a balance, another sender's deposit always counts as `unknown`.
   */
  readonly deposit: 'paid' | 'taken' | 'unknown'
  /** Undefined for a balance, and if `deposit` isn't `paid`. */
  readonly isSettled: boolean | undefined
  /** How the note was settled; undefined if `isSettled` isn't true. */
  readonly settled: SettledNote | undefined
  readonly chainSeconds: UnixSeconds
  /**
   * The action that is possible now. If the state of the deposit or of the note is unknown, this assumes that the
   * deposit was made and that the note isn't settled.
   */
  readonly possible: 'deliver' | 'pay' | 'refund' | 'wait' | 'nothing'
}

/**
 * Reads the Order account, the Nullifier account and the clock. It needs no transaction history. The Order account
 * identifies only the deposit's leaf, but each payment gives a balance a new leaf. So for a balance, `possible` depends
 * only on the clock.
 *
 * @param isLocalChain see `LocateOptions`.
 * @throws RecoveryError CLOCK_DIFFERS if nothing is possible only by a clock that isn't believed. A person would then
 *   give up a note that can still be settled.
 */
export async function readNoteState(
  rpc: RecoveryRpc,
  ticket: Ticket,
  isLocalChain: boolean,
): Promise<NoteState> {
  const state = await stateByClock(rpc, ticket)
  const { possible, isSettled, chainSeconds } = state
  const isClosed = possible === 'nothing' && isSettled !== true
  if (isClosed && !isPlausible(chainSeconds, isLocalChain)) throw clockDiffers(chainSeconds)
  return state
}

/** The state according to the node's clock. */
async function stateByClock(rpc: RecoveryRpc, ticket: Ticket): Promise<NoteState> {
  // Both accounts are read at the same slot. The clock decides whether an Order of the ticket may have been closed.
  const accounts = [CLOCK_SYSVAR, await orderAddress(ticket.program, ticket.orderId)]
  const [clock, account] = await readTogether(rpc, accounts)
  const chainSeconds = shownClock(clock)
  const order = shownOrder(ticket.program, account)
  const unsettled = { isSettled: undefined, settled: undefined, chainSeconds } as const
  const isOwn = order?.sender === ticket.note.sender
  const mayBeClosed = chainSeconds >= ticket.note.deadline + CLOSE_DELAY_SECONDS
  const isUnknown = order === undefined || (!isOwn && mayBeClosed)
  if (isUnknown || ticket.note.claim.kind === 'balance') {
    const deposit = isOwn ? 'paid' : 'unknown'
    return { deposit, ...unsettled, possible: possibleNow(chainSeconds, ticket) }
  }
  if (!isOwn) return { deposit: 'taken', ...unsettled, possible: 'nothing' }
  const nullifier = nullifierOf(wasmPoseidon, ticket.note.nk, order.leafIndex)
  const settled = await readSettledNote(rpc, ticket, nullifier)
  const isSettled = settled !== undefined
  const possible = isSettled ? 'nothing' : possibleNow(chainSeconds, ticket)
  return { deposit: 'paid', isSettled, settled, chainSeconds, possible }
}

function possibleNow(clock: UnixSeconds, { note }: Ticket): NoteState['possible'] {
  const before = note.claim.kind === 'balance' ? 'pay' : 'deliver'
  for (const kind of [before, 'refund'] as const) {
    try {
      settlementTime(kind, clock, note.expiry)
      return kind
    } catch (error) {
      if (error instanceof RecoveryError && error.code === 'WINDOW_OVER') return 'nothing'
      // This action isn't possible now, but another action may be.
    }
  }
  return 'wait'
}
