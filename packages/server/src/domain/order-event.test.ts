import { expect, it } from 'vitest'
import {
  decodeOrderEvent,
  encodeOrderEvent,
  eventBody,
  eventIdOf,
  messageNumber,
  parseEventId,
  sequenceOf,
  sequenceOfEvent,
  SENT_SEQUENCES,
  type OrderEvent,
} from './order-event.ts'
import { canBecome, ORDER_STATUSES } from './order-state.ts'
import { pauseAfter, PAUSE_MAX_MS } from './webhook-retries.ts'

const ORDER_ID = new Uint8Array(16).fill(7)

it('has a greater sequence number after every transition of the state machine', () => {
  for (const from of ORDER_STATUSES) {
    for (const to of ORDER_STATUSES.filter((status) => canBecome(from, status))) {
      expect([from, to, sequenceOf(to) > sequenceOf(from)]).toEqual([from, to, true])
      expect(SENT_SEQUENCES).toContain(sequenceOf(to))
    }
  }
})

it('each event has exactly one id', () => {
  const id = eventIdOf({ orderId: ORDER_ID, status: 'delivered' })
  expect(id).toMatch(/_5$/)
  expect(parseEventId(id)).toEqual({ orderId: ORDER_ID, number: 5 })
  const ends = ['_1', '_05', '_7', '_50', '_5_20000', '_6_', '_6_0', '_6_020000', '_6_123456789']
  const others = ends.map((end) => id.replace('_5', end))
  for (const text of ['', id.slice(1), ...others, 'evt_x_5', `${id} `]) {
    expect(parseEventId(text)).toBeUndefined()
  }
})

const notice = (days: number, isRenewed?: true) =>
  ({
    ...{ orderId: ORDER_ID, isRenewed },
    status: 'deposited',
    endsAtMs: days * 86_400_000 + 1,
  }) as const

it('two notices of a balance have different numbers if their ends are less than 90 days apart', () => {
  const later = Array.from({ length: 90 }, (_, day) => messageNumber(notice(20_000 + day, true)))
  const all = [...SENT_SEQUENCES, messageNumber(notice(20_000)), ...later]
  expect(new Set(all).size).toBe(all.length)
})

it('never gives two notices of a balance the same id', () => {
  const notices = Array.from({ length: 400 }, (_, day) => notice(20_000 + day, true))
  const later = notices.map(eventIdOf)
  const statuses = ORDER_STATUSES.map((status) => eventIdOf({ orderId: ORDER_ID, status }))
  const all = [...new Set(statuses), eventIdOf(notice(20_000)), ...later]
  expect(new Set(all).size).toBe(all.length)
})

it('reads the message number from the id of each message', () => {
  const statuses = ORDER_STATUSES.map((status) => ({ orderId: ORDER_ID, status }))
  const notices = [notice(20_000), notice(20_000, true), notice(20_123, true)]
  for (const event of [...statuses.filter((one) => sequenceOfEvent(one) > 1), ...notices]) {
    const number = messageNumber(event)
    expect(parseEventId(eventIdOf(event))).toEqual({ orderId: ORDER_ID, number })
  }
})

it('a decoded event equals the encoded event, and its message names no endpoint', () => {
  const shown = { orderId: ORDER_ID, accountId: 'acme', status: 'refunded', atMs: 1 } as const
  const send = { webhookId: 'wh_1', state: 'pending', attempts: 3 } as const
  const sends = [{ ...send, lastAtMs: undefined, lastStatus: 503 }]
  for (const event of [
    { ...shown, reference: undefined, sends: undefined },
    { ...shown, reference: 'invoice 7', sends },
  ]) {
    expect(decodeOrderEvent(encodeOrderEvent(event))).toEqual(event)
    expect(eventBody(event)).not.toMatch(/acme|wh_1|503/)
    expect(eventBody({ ...event, sends: [] })).toBe(eventBody(event))
  }
})

it('the fixed size of a sealed event has room for five complete endpoints', () => {
  const webhookId = `wh_${'x'.repeat(22)}`
  const send = { webhookId, state: 'delivered' as const, attempts: 11 }
  const times = { lastAtMs: 1_800_000_000_000, lastStatus: 503 }
  const event: OrderEvent = {
    ...{ orderId: ORDER_ID, accountId: 'a'.repeat(40), status: 'awaiting_deposit' as const },
    ...{ reference: '"'.repeat(64), atMs: 1_800_000_000_000 },
    sends: Array.from({ length: 5 }, () => ({ ...send, ...times })),
  }
  expect(encodeOrderEvent(event).length).toBeLessThanOrEqual(1_536 - 4)
})

it('an event is sent a limited number of times, after growing pauses', () => {
  const pauses: number[] = []
  for (let polls = 1; pauseAfter(polls, 0) !== undefined; polls += 1) {
    pauses.push(pauseAfter(polls, 0)!)
    expect(pauseAfter(polls, 255)).toBeGreaterThan(pauseAfter(polls, 0)!)
    expect(pauseAfter(polls, 255)).toBeLessThan(PAUSE_MAX_MS)
  }
  expect(pauses).toEqual([...pauses].sort((left, right) => left - right))
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000
  expect([hours > 71, hours < 72]).toEqual([true, true])
})
