import type { UnixSeconds } from '@sotto/protocol'
import type { Lease } from '../ports/settle-store.ts'
import { broadcast } from './broadcast.ts'
import { tryJournal } from './journal.ts'
import type { OpenedOrder } from './open-note.ts'
import { pickRelayer } from './pick-relayer.ts'
import { postpone } from './postpone.ts'
import { prove } from './prove.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** How long a settlement that was refused in simulation rests, in milliseconds. */
const REFUSED_PAUSE_MS = 15_000

/**
 * One attempt at paying a note: prove, sign, try it out, write it down, and only then send it. What
 * becomes of it is found out from program state, by `confirmOrders`.
 */
export async function attemptSettlement(
  d: SettleDependencies,
  opened: OpenedOrder,
  lease: Lease,
  settle: { readonly isRefund: boolean; readonly time: UnixSeconds },
): Promise<void> {
  const relayer = await pickRelayer(d)
  const settlement = await prove(d, opened, settle)
  const signed = await d.chain.sign({ relayer, mint: opened.note.mint, settlement })
  if (!(await d.chain.simulate(signed))) {
    d.log.alert('settlement_refused')
    return postpone(d, opened, lease, REFUSED_PAUSE_MS)
  }
  const kind = settle.isRefund ? 'refund' : 'deliver'
  const attempt = { kind, signed, relayer: relayer.address } as const
  if (!(await tryJournal(d, opened, lease, attempt))) return
  d.log.event(`${kind}_journalled`)
  d.broadcasts.rest(opened.order.orderId, d.clock.nowMs())
  await broadcast(d, signed.wire)
}
