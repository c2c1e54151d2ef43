import type { UnixSeconds } from '@sotto/protocol'
import { noticeSecondsOf } from '../../domain/balance.ts'
import { hexOf } from '../../domain/hex.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import { isBalance, isLeftToOwner, type OpenedOrder } from '../notes/opened-order.ts'

interface NoticeDependencies {
  readonly store: Pick<SettlementStore, 'readCursor' | 'listOpen' | 'listEnding' | 'tryNoticeEnd'>
  readonly opener: Pick<NoteOpener, 'openAll'>
  readonly clock: Clock
}

/**
 * Creates a step that notifies partners, days in advance, that a balance will end and its rest will be returned.
 * Payments postpone the end, and each new end gets its own notice. A notice is written only before the end.
 */
export function endingNotifier(d: NoticeDependencies): () => Promise<void> {
  let noticed = new Map<string, UnixSeconds>()
  return async () => {
    const { unixSeconds } = await d.store.readCursor()
    const ending = await d.store.listEnding(unixSeconds)
    const keys = new Set(ending.map(({ orderId }) => hexOf(orderId)))
    noticed = new Map([...noticed].filter(([key]) => keys.has(key)))
    if (ending.length === 0) return
    const own = await d.store.listOpen(ending.map(({ orderId }) => orderId))
    const opened = new Map(
      (await d.opener.openAll(own)).map((one) => [hexOf(one.order.orderId), one]),
    )
    const open = new Set(own.map(({ orderId }) => hexOf(orderId)))
    for (const { orderId, deadline, expiry } of ending) {
      const key = hexOf(orderId)
      const one = opened.get(key)
      // The order's key can't be read now, so the next round tries again.
      if (open.has(key) && one === undefined) continue
      const end = one?.note.expiry ?? expiry
      const from = end - noticeSecondsOf(expiry - deadline)
      if (unixSeconds < from || end <= unixSeconds || noticed.get(key) === end) continue
      const returns = one !== undefined && isReturned(one)
      const order = { orderId, end, isRenewed: end !== expiry }
      if (await d.store.tryNoticeEnd(order, returns, d.clock.nowMs())) noticed.set(key, end)
    }
  }
}

/** True if the service will return a rest of this balance. */
const isReturned = (one: OpenedOrder): boolean => isBalance(one) && !isLeftToOwner(one)
