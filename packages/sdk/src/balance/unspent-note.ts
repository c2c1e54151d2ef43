import type { UnixSeconds } from '@sotto/protocol'
import type { ChainContext } from './balance-context.ts'
import type { BalanceRecord } from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { onPool } from './on-pool.ts'
import { ownNote, readNoteEnd, type OwnNote } from './own-note.ts'
import { recordSpending } from './record-spending.ts'

/**
 * The note that the next payment spends, and the chain's clock in the finalized slot that shows the note as unspent.
 */
export interface UnspentNote extends OwnNote {
  readonly clock: UnixSeconds
}

/**
 * The balance's newest note. If other holders of the secret have made payments, the function follows these payments on
 * the chain to the newest note, and saves that note. It also adds these payments to the list of unrecorded payments. If
 * the record has a signed payment, the function also saves whether the chain shows it as paid (`recordSpending`).
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
      const message = 'this balance has ended: its rest can only return to the wallet'
      throw new BalanceError('BALANCE_ENDED', message)
    }
    if (end.kind === 'refunded') throw returned()
    await recordSpending(context, record, note, end.found)
  }
}

export const returned = () =>
  new BalanceError('BALANCE_ENDED', 'this balance has ended: its rest was returned to the wallet')
