import { expect, it } from 'vitest'
import { topUpEpochOf } from '../../../domain/epoch.ts'
import { encodeOrderEvent, type OrderEvent } from '../../../domain/order-event.ts'
import type { EpochSecrets } from '../../../ports/secrets.ts'
import { systemRandom } from '../../random/system-random.ts'
import { keepEpoch } from '../../keystore/epoch-secrets.ts'
import type { Sql } from '../sql.ts'
import { sqlOutboxStore } from './outbox-store.ts'

const HOUR = 500_000
const HOUR_MS = 3_600_000
const NAME = new Uint8Array(32).fill(7)
const EVENT: OrderEvent = {
  ...{ orderId: new Uint8Array(16).fill(7), accountId: 'acme', status: 'delivered' },
  ...{ reference: undefined, atMs: HOUR * HOUR_MS, sends: undefined },
}

/** Keys of these epochs. `done.tries` counts the attempts to open a row with one of these keys. */
function keysOf(...epochs: readonly number[]) {
  const keys = new Map<number, EpochSecrets>()
  const done = { tries: 0 }
  for (const epoch of epochs) {
    const { secrets } = keepEpoch(epoch, systemRandom.bytes(32), systemRandom)
    const open: EpochSecrets['open'] = (...asked) => {
      done.tries += 1
      return secrets.open(...asked)
    }
    keys.set(epoch, { ...secrets, open })
  }
  const list = async () => [...keys.keys()].sort((left, right) => left - right)
  return { done, keys, secrets: { list, read: async (epoch: number) => keys.get(epoch) } }
}

/** A table `outbox` with a number of equal rows of `HOUR`, all due. */
function outboxOf(rows: number, sealed: Uint8Array, secrets: ReturnType<typeof keysOf>['secrets']) {
  const row = { name: NAME, sealed, polls: 1, due_at: null, hour: new Date(HOUR * HOUR_MS) }
  const query = async (text: string, values: readonly unknown[]) => {
    if (text.includes('polls + 1')) return Array.from({ length: rows }, () => row)
    const [, , [hex]] = values as [unknown, unknown, string[]]
    row.sealed = new Uint8Array(Buffer.from(hex!, 'hex'))
    return []
  }
  const store = sqlOutboxStore({ query } as unknown as Sql, secrets)
  return { claim: () => store.claimDue(HOUR * HOUR_MS, rows), keep: store.keep }
}

const topUps = Array.from({ length: 720 }, (_, age) => topUpEpochOf(HOUR - age))

it('opens a row without trying the keys of later hours', async () => {
  const later = Array.from({ length: 20 }, (_, hours) => HOUR + 1 + hours)
  const { done, keys, secrets } = keysOf(HOUR, ...later)
  const sealed = keys.get(HOUR)!.seal(NAME, 'event', encodeOrderEvent(EVENT))
  const [polled] = await outboxOf(1, sealed, secrets).claim()
  expect(polled!.held).toMatchObject({ event: EVENT, epoch: HOUR })
  expect(done.tries).toBe(1)
})

it('tries all keys only once if the key of a row is destroyed', async () => {
  const { done, keys, secrets } = keysOf(HOUR - 1, HOUR, HOUR + 30, ...topUps)
  const sealed = keys.get(HOUR - 1)!.seal(NAME, 'event', encodeOrderEvent(EVENT))
  keys.delete(HOUR - 1)
  const { claim, keep } = outboxOf(1, sealed, secrets)
  const polls = await claim()
  expect(polls.map(({ held }) => held)).toEqual(['lost'])
  expect(done.tries).toBe(721)
  await keep(polls.map((poll) => ({ ...poll, sends: undefined })))
  // Before the next poll, the hour's key of transfers and payments is destroyed too. The key of the hour's top-ups is
  // left, and it has sealed the empty content.
  keys.delete(HOUR)
  expect((await claim()).map(({ held }) => held)).toEqual(['lost'])
  expect(done.tries).toBe(722)
})

it('lets other work run between two rows', async () => {
  const { secrets } = keysOf(HOUR)
  let turns = 0
  const turn = () => {
    turns += 1
    ticking = setImmediate(turn)
  }
  let ticking = setImmediate(turn)
  const polls = await outboxOf(50, new Uint8Array(64), secrets).claim()
  clearImmediate(ticking)
  expect(polls).toHaveLength(50)
  expect(turns).toBeGreaterThanOrEqual(49)
})
