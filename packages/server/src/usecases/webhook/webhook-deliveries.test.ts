import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { BALANCE_SECONDS_MIN } from '../../domain/balance.ts'
import { SENT_SEQUENCES } from '../../domain/order-event.ts'
import type { StoredOrder } from '../../ports/order-store.ts'
import type { AskedMessages } from '../../ports/outbox-store.ts'
import { listDeliveries, replayDelivery, type DeliveryDependencies } from './webhook-deliveries.ts'

const WEBHOOK_ID = 'wh_aaaaaaaaaaaaaaaaaaaaaa'
const DAY = BigInt(BALANCE_SECONDS_MIN)

/** Order number `index` of the account; a balance if it stays open for a day. */
const orderOf = (index: number, openSeconds: bigint) =>
  ({
    ...{ id: new Uint8Array(16).fill(index), epoch: 500_000, createdAtMs: 1_000 - index, leaf: 1n },
    ...{ deadline: unixSeconds(600n), expiry: unixSeconds(600n + openSeconds) },
  }) as unknown as StoredOrder

/** The use cases with these orders, and all messages that they have requested from the outbox. */
function over(orders: readonly StoredOrder[]) {
  const asked: AskedMessages[] = []
  const d = {
    webhooks: { list: async () => [{ id: WEBHOOK_ID }] },
    orders: {
      listOrders: async (_account: string, limit: number, after?: { createdAtMs: number }) =>
        orders
          .filter(({ createdAtMs }) => after === undefined || createdAtMs < after.createdAtMs)
          .slice(0, limit),
      readOrder: async () => ({ order: orders[0] }),
    },
    outbox: {
      read: async (all: readonly AskedMessages[]) => {
        asked.push(...all)
        return []
      },
    },
  } as unknown as DeliveryDependencies
  const list = (cursor?: string) =>
    listDeliveries(d, 'acme', WEBHOOK_ID, { limit: '100', ...(cursor ? { cursor } : {}) })
  return { asked, list, replay: (id: string) => replayDelivery(d, 'acme', WEBHOOK_ID, id) }
}

const hundred = (openSeconds: bigint) =>
  Array.from({ length: 100 }, (_, index) => orderOf(index, openSeconds))

it('requests notices from the outbox only for balances', async () => {
  const { asked, list } = over(hundred(DAY - 1n))
  expect((await list()).nextCursor).toBeNull()
  expect(asked.map(({ numbers }) => numbers)).toEqual(
    Array.from({ length: 100 }, () => SENT_SEQUENCES),
  )
})

it('ends a page early if its balances may have many messages', async () => {
  const balances = hundred(DAY)
  const { asked, list } = over(balances)
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const { nextCursor } = await list(cursor)
    cursor = nextCursor ?? undefined
    const page = asked.splice(0)
    expect(page.flatMap(({ numbers }) => numbers).length).toBeLessThanOrEqual(1_000)
    seen.push(...page.map(({ id }) => id[0]!))
  } while (cursor !== undefined)
  expect(seen).toEqual(balances.map(({ id }) => id[0]))
})

it.each([
  ['_2', 2],
  ['_6', 6],
  ['_6_20000', 27],
])(
  'requests only one message from the outbox for a replay of an id that ends in %s',
  async (end, number) => {
    const { asked, replay } = over([orderOf(0, DAY)])
    await expect(replay(`evt_${'A'.repeat(22)}${end}`)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(asked.map(({ numbers }) => numbers)).toEqual([[number]])
  },
)
