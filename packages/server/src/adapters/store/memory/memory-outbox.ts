import { isLeaseHeld } from '../../../domain/lease.ts'
import { sequenceOf, TOLD_SEQUENCES } from '../../../domain/order-event.ts'
import type { OrderStatus } from '../../../domain/order-state.ts'
import { PAUSE_MAX_MS } from '../../../domain/webhook-retries.ts'
import type { OutboxStore, StoredEvent } from '../../../ports/outbox-store.ts'
import type { Teller } from '../teller.ts'
import {
  epochOf,
  hourOf,
  keyOf,
  type MemoryDatabase,
  type MemoryEvent,
  type MemoryOrder,
} from './memory-database.ts'

const nameOf = (orderId: Uint8Array, sequence: number) => `${keyOf(orderId)}/${sequence}`

/** Writes a change where its account has an endpoint, and makes it known. */
export function tellChange(
  database: MemoryDatabase,
  teller: Teller | undefined,
  order: MemoryOrder | undefined,
  status: OrderStatus,
): void {
  if (teller === undefined || order === undefined) return
  const { id: orderId, accountId, reference } = order
  const name = nameOf(orderId, sequenceOf(status))
  const hasWebhook = [...database.webhooks.values()].some(
    (webhook) => webhook.accountId === accountId && webhook.disabledAtMs === undefined,
  )
  if (hasWebhook && !database.outbox.has(name)) {
    const atMs = teller.clock.nowMs()
    database.outbox.set(name, {
      event: { orderId, accountId, status, reference, atMs, sends: undefined },
      ...{ epoch: epochOf(order), hourMs: hourOf(atMs), dueAtMs: atMs },
      ...{ leaseUntilMs: undefined, fence: 0n },
    })
  }
  teller.tell([name])
}

const isDue = ({ dueAtMs, leaseUntilMs }: MemoryEvent, nowMs: number, leaseMs: number) =>
  dueAtMs !== undefined &&
  (dueAtMs <= nowMs || dueAtMs > nowMs + PAUSE_MAX_MS) &&
  !isLeaseHeld(leaseUntilMs, nowMs, leaseMs)

const storedOf = (name: string, { event, epoch, fence }: MemoryEvent): StoredEvent => ({
  ...{ event, name, epoch, fence },
})

/** The outbox in memory. */
export function memoryOutboxStore(database: MemoryDatabase): OutboxStore {
  return {
    claimDue: async (nowMs, leaseMs, limit) =>
      [...database.outbox]
        .filter(([, row]) => isDue(row, nowMs, leaseMs))
        .sort(([, left], [, right]) => (right.dueAtMs ?? 0) - (left.dueAtMs ?? 0))
        .slice(0, limit)
        .map(([name, row]) => {
          row.leaseUntilMs = nowMs + leaseMs
          row.fence += 1n
          return storedOf(name, row)
        }),
    tryKeep: async ({ name, fence }, sends, dueAtMs) => {
      const row = database.outbox.get(name)
      if (row?.fence !== fence) return false
      row.event = { ...row.event, sends }
      row.dueAtMs = dueAtMs
      row.leaseUntilMs = undefined
      row.fence += 1n
      return true
    },
    namesOf: async ({ id }) => TOLD_SEQUENCES.map((sequence) => nameOf(id, sequence)),
    read: async (orders) =>
      orders.flatMap(({ id }) =>
        [...TOLD_SEQUENCES].reverse().flatMap((sequence) => {
          const name = nameOf(id, sequence)
          const row = database.outbox.get(name)
          return row === undefined ? [] : [storedOf(name, row)]
        }),
      ),
  }
}
