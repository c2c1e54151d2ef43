import { parseWhole, type UnixSeconds } from '@sotto/protocol'
import { epochAt } from '../../packages/server/src/domain/epoch.ts'
import {
  messageNumber,
  sequenceOf,
  SENT_SEQUENCES,
} from '../../packages/server/src/domain/order-event.ts'
import type { OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import { pauseAfter, PAUSE_MAX_MS } from '../../packages/server/src/domain/webhook-retries.ts'
import type { OutboxStore, StoredEvent } from '../../packages/server/src/ports/outbox-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import {
  epochOf,
  hourOf,
  keyOf,
  type MemoryDatabase,
  type MemoryEvent,
  type MemoryOrder,
  type MemoryPayment,
} from './memory-database.ts'

const nameOf = (orderId: Uint8Array, sequence: number) => `${keyOf(orderId)}/${sequence}`

const hasWebhooks = ({ webhooks }: MemoryDatabase): boolean =>
  [...webhooks.values()].some(({ disabledAtMs }) => disabledAtMs === undefined)

/**
 * Writes a notice of a balance's end to the outbox if any account has an enabled webhook. Writes each notice only once.
 */
export function noticeEnd(
  database: MemoryDatabase,
  order: MemoryOrder,
  notice: { readonly end: UnixSeconds; readonly isRenewed: boolean; readonly isOpen: boolean },
  atMs: number,
): void {
  const { id: orderId, accountId, reference } = order
  const { isOpen } = notice
  const endsAtMs = parseWhole(`${notice.end * 1_000n}`)
  const isRenewed = notice.isRenewed ? true : undefined
  const about = { orderId, accountId, status: 'deposited', reference, endsAtMs, isRenewed } as const
  const name = nameOf(orderId, messageNumber(about))
  if (!hasWebhooks(database) || database.outbox.has(name)) return
  const event = { ...about, atMs }
  database.outbox.set(name, {
    event: { ...event, sends: isOpen ? undefined : [] },
    ...{ epoch: epochOf(order), hourMs: hourOf(atMs), dueAtMs: atMs, polls: 0 },
  })
}

/**
 * Announces an order's new status through the notifier. Also writes a message about the status to the outbox if any
 * account has an enabled webhook. Does nothing if there is no notifier.
 */
export function notifyChange(
  database: MemoryDatabase,
  notifier: StatusNotifier | undefined,
  order: MemoryOrder | MemoryPayment | undefined,
  status: OrderStatus,
  wasDeposited?: true,
): void {
  if (notifier === undefined || order === undefined) return
  const { id: orderId, accountId, reference } = order
  const name = nameOf(orderId, sequenceOf(status, wasDeposited))
  if (hasWebhooks(database) && !database.outbox.has(name)) {
    const atMs = notifier.clock.nowMs()
    database.outbox.set(name, {
      event: { orderId, accountId, status, wasDeposited, reference, atMs, sends: undefined },
      ...{ epoch: epochOf(order), hourMs: hourOf(atMs), dueAtMs: atMs },
      polls: 0,
    })
  }
  notifier.notify([name])
}

const isDue = ({ dueAtMs }: MemoryEvent, nowMs: number) =>
  dueAtMs !== undefined && (dueAtMs <= nowMs || dueAtMs > nowMs + PAUSE_MAX_MS)

const storedOf = (name: string, { event, epoch, dueAtMs }: MemoryEvent): StoredEvent => ({
  ...{ event, name, epoch, dueAtMs },
})

/** The outbox in memory. */
export function memoryOutboxStore(database: MemoryDatabase): OutboxStore {
  return {
    claimDue: async (nowMs, limit) =>
      [...database.outbox]
        .filter(([, row]) => isDue(row, nowMs))
        .sort(([, left], [, right]) => (right.dueAtMs ?? 0) - (left.dueAtMs ?? 0))
        .slice(0, limit)
        .map(([name, row]) => {
          row.polls += 1
          const pauseMs = pauseAfter(row.polls, Buffer.from(name.slice(0, 2), 'hex')[0] ?? 0)
          row.dueAtMs = pauseMs === undefined ? undefined : nowMs + pauseMs
          return { name, count: row.polls, hour: epochAt(row.hourMs), held: storedOf(name, row) }
        }),
    keep: async (polls) => {
      for (const { name, count, sends } of polls) {
        const row = database.outbox.get(name)
        if (row?.polls === count && sends !== undefined) row.event = { ...row.event, sends }
      }
    },
    namesOf: async ({ id }) => SENT_SEQUENCES.map((sequence) => nameOf(id, sequence)),
    read: async (orders) =>
      orders.flatMap(({ id, numbers }) =>
        [...numbers].reverse().flatMap((sequence) => {
          const name = nameOf(id, sequence)
          const row = database.outbox.get(name)
          return row === undefined ? [] : [storedOf(name, row)]
        }),
      ),
  }
}
