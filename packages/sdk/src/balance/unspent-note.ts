import { encodeTicket, sumOf, type UnixSeconds } from '@sotto/protocol'
import { readFixedPool, ticketAfterShown } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import type { ChainContext } from './balance-context.ts'
import { balanceHash } from './balance-hash.ts'
import type { BalanceRecord, SavedBalance } from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { onPool } from './on-pool.ts'
import { withUnrecorded } from './unrecorded.ts'
import { ownNote, readNoteEnd, type OwnNote, type SpentNote } from './own-note.ts'

/**
 * The note that the next payment spends, and the chain's clock in the finalized slot that shows the note as unspent.
 */
export interface UnspentNote extends OwnNote {
  readonly clock: UnixSeconds
}

/**
 * The balance's newest note. If other holders of the secret have made payments, the function follows these payments on
 * the chain to the newest note, and saves that note. It also adds these payments to the list of unrecorded payments.
 * @throws BalanceError BALANCE_EMPTY, BALANCE_ENDED; DisagreementError if the node doesn't show enough to know whether
 *   or how the note was spent; RecoveryError CHANGE_DIFFERS if the node shows a payment whose change note doesn't
 *   belong to this balance.
 */
export const unspentNote = (context: ChainContext, record: BalanceRecord): Promise<UnspentNote> =>
  onPool(context, () => unspentOnce(context, record))

async function unspentOnce(context: ChainContext, record: BalanceRecord): Promise<UnspentNote> {
  for (;;) {
    if (record.ticket.note.value === 0n) {
      throw new BalanceError('BALANCE_EMPTY', 'nothing is left of this balance')
    }
    const note = await ownNote(context, record)
    const end = await readNoteEnd(context, note)
    if (end.kind === 'open') {
      if (end.clock < note.ticket.note.expiry) return { ...note, clock: end.clock }
      const message = 'this balance has ended: its rest returns to the wallet'
      throw new BalanceError('BALANCE_ENDED', message)
    }
    if (end.kind === 'refunded') throw returned()
    if (end.found === undefined) throw hiddenSpending()
    const after = await stateAfterShown(context, note, end.found)
    await record.save({ ...after, ...withUnrecorded(record, end.found) })
  }
}

export const returned = () =>
  new BalanceError('BALANCE_ENDED', 'this balance has ended: its rest was returned to the wallet')

export const hiddenSpending = () =>
  new DisagreementError(
    'the balance was spent, and your node does not show by which transaction: use a node with more history',
  )

/**
 * The members of the balance's state that change if the chain shows a payment that spent this note.
 * @throws RecoveryError CHANGE_DIFFERS if the note derived from the secret doesn't have the leaf that the chain
 *   shows.
 */
export async function stateAfterShown(
  { rpc }: ChainContext,
  { ticket, nullifier }: OwnNote,
  { payout, fee, time, changeLeaf }: SpentNote,
): Promise<Pick<SavedBalance, 'ticket' | 'leafIndex'>> {
  const { domain } = await readFixedPool(rpc, ticket.program)
  const shown = { nullifier, spent: sumOf([payout, fee]), time, changeLeaf }
  const after = ticketAfterShown(balanceHash, domain, ticket, shown)
  return { ticket: encodeTicket(after), leafIndex: null }
}
