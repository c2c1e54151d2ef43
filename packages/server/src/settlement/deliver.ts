import { NATIVE_MINT } from '@sotto/protocol'
import type { Lease } from '../ports/settle-store.ts'
import { attemptSettlement } from './attempt-settlement.ts'
import type { OpenedOrder } from './open-note.ts'
import { postpone } from './postpone.ts'
import { deliveryTime } from './public-time.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** How long a delivery to an account that can't be paid rests, in milliseconds. */
const UNPAYABLE_PAUSE_MS = 60_000

/** Delivers a note to its recipient, or puts it off where their account can't take it now. */
export async function deliver(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
): Promise<void> {
  if (!(await isPayable(d, opened))) {
    d.log.alert('recipient_not_payable')
    return postpone(d, opened, lease, UNPAYABLE_PAUSE_MS, 'recipient_not_payable')
  }
  const time = deliveryTime(await d.chain.readClock(), opened.note.expiry)
  if (time === undefined) return
  await attemptSettlement(d, opened, lease, { isRefund: false, time })
}

/**
 * An account that existed at the quote and is gone isn't made again: its rent could be farmed. One
 * that didn't exist was paid for. A missing wallet is no obstacle for native coin: paying makes it.
 */
async function isPayable(d: SettleDependencies, { note, terms }: OpenedOrder): Promise<boolean> {
  const state = await d.chain.readPayee(note.mint, note.recipient)
  switch (state) {
    case 'payable':
      return true
    case 'blocked':
      return false
    case 'absent':
      return note.mint === NATIVE_MINT || !terms.accountExisted
  }
}
