import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChangeHub } from '../../src/adapters/changes/change-hub.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  placed,
  quoteOf,
  send,
  solSend,
} from './partner-client.ts'
import { startApi } from './start-api.ts'

let postgres: SharedPostgres
let database: Database
let first: HttpStack
let second: HttpStack
beforeAll(async () => {
  postgres = await sharedPostgres()
  const url = await postgres.createMigrated()
  first = await startHttpStack(async () => openPostgres(url))
  // The replicas share only the database, the chain and the folder of keys.
  database = openPostgres(url)
  const secrets = openFileSecrets(first.settings['SOTTO_KEYS']!, systemRandom)
  const replica = await startApi({ database, secrets, rpc: first.rpc }, first.settings)
  second = { ...first, ...replica, database, secrets }
})
afterAll(async () => {
  await second.stop()
  await database.close()
  await first.close()
  await postgres.stop()
})

type Made = { apiKey: string; keyId: string }
const makeKey = (...more: string[]) =>
  first.operate<Made>('key', 'add', '--account', 'acme', ...more)

/** Sends a request with the same key to both replicas at once, and returns both statuses. */
const statusesOf = (apiKey: string) =>
  Promise.all(
    [first, second].map(
      async (stack) => (await send(stack, 'GET', '/transfer/v1/tokens', { apiKey })).status,
    ),
  )

describe('a key, at every replica', () => {
  it('is refused within a second of its revocation', async () => {
    const { apiKey, keyId } = await makeKey()
    // Both replicas have accepted the key, so both may have cached it.
    expect(await statusesOf(apiKey)).toEqual([200, 200])
    await first.operate('key', 'revoke', '--key', keyId)
    for (const stack of [first, second]) stack.advanceMs(1_000)
    expect(await statusesOf(apiKey)).toEqual([401, 401])
    // The key is refused even if a replica's clock is set back to a time at which the key was valid.
    for (const stack of [first, second]) stack.advanceMs(-60_000)
    expect(await statusesOf(apiKey)).toEqual([401, 401])
    for (const stack of [first, second]) stack.advanceMs(60_000)
  })

  it('gets no events from its open stream once it has been revoked for a second', async () => {
    const hub = new ChangeHub()
    const replica = await startApi({ ...first, changes: hub }, first.settings)
    const { apiKey, keyId } = await makeKey()
    const { trackingId } = (await placed(first, solSend(first))).order
    const url = `${replica.baseUrl}/transfer/v1/status/${trackingId}/events`
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('awaiting_deposit')) text += (await reader.read()).value ?? ''
    await first.operate('key', 'revoke', '--key', keyId)
    replica.advanceMs(1_000)
    await first.database.query(
      `UPDATE orders SET status = 'expired', final_hour = now(), updated_at = now() WHERE id = $1`,
      [Buffer.from(trackingId.slice(3), 'base64url')],
    )
    hub.notifyAll()
    expect(await reader.read()).toEqual({ done: true, value: undefined })
    await replica.stop()
  })

  it('works together with its replacement until the overlap ends', async () => {
    const old = await makeKey()
    const rotate = ['key', 'rotate', '--key', old.keyId, '--overlap-seconds', '60']
    const fresh = await first.operate<Made>(...rotate)
    expect(await statusesOf(old.apiKey)).toEqual([200, 200])
    expect(await statusesOf(fresh.apiKey)).toEqual([200, 200])
    for (const stack of [first, second]) stack.advanceMs(61_000)
    expect(await statusesOf(old.apiKey)).toEqual([401, 401])
    expect(await statusesOf(fresh.apiKey)).toEqual([200, 200])
  })

  it('is refused after its own expiry', async () => {
    const { apiKey } = await makeKey('--expires-in-days', '1')
    expect(await statusesOf(apiKey)).toEqual([200, 200])
    for (const stack of [first, second]) stack.advanceMs(86_400_000)
    expect(await statusesOf(apiKey)).toEqual([401, 401])
  })
})

describe('an order, at every replica', () => {
  it('made by one replica is returned by the other with the same bytes', async () => {
    const { body, answer, order: made } = await placed(first, solSend(first), 'both')
    expect((await order(second, body, 'both')).text).toBe(answer.text)
    const url = `/transfer/v1/status/${made.trackingId}`
    expect((await send(second, 'GET', url)).status).toBe(200)
  })

  it('is made once if both replicas get the request at the same moment', async () => {
    const before = await countOrders(first)
    for (let round = 1; round <= 5; round += 1) {
      const request = solSend(first)
      const body = orderBody((await quoteOf(first, request)).quote, request)
      const asked = Array.from({ length: 8 }, (_, index) =>
        order(index % 2 === 0 ? first : second, body, `round-${round}`),
      )
      const answers = await Promise.all(asked)
      const won = answers.filter(({ status }) => status === 200).map(({ text }) => text)
      expect(new Set(won).size).toBe(1)
      const lost = answers.map(codeOf).filter((code) => code !== undefined)
      expect(lost.every((code) => code === 'ORDER_IN_PROGRESS')).toBe(true)
      expect(await countOrders(first)).toBe(before + round)
    }
  })

  it('is not made by a slow replica after the other replica has refused the retry as expired', async () => {
    let begin: () => void = () => undefined
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let isSlow = false
    const secrets: Secrets = {
      ...first.secrets,
      forNewOrder: async (epoch) => {
        begin()
        if (isSlow) await released
        return first.secrets.forNewOrder(epoch)
      },
    }
    const slow = { ...first, ...(await startApi({ ...first, secrets }, first.settings)) }
    try {
      const request = solSend(slow)
      const { quote } = await quoteOf(slow, request)
      const body = orderBody(quote, request)
      const before = await countOrders(first)
      isSlow = true
      const isBegun = new Promise<void>((resolve) => (begin = resolve))
      const creating = order(slow, body, 'slow')
      await Promise.race([isBegun, creating])
      // Both replicas' clocks pass the quote's expiry while the first request creates its order.
      for (const replica of [slow, second]) replica.freezeAt(Date.parse(quote.expiresAt) + 1)
      expect(codeOf(await order(second, body, 'slow'))).toBe('QUOTE_EXPIRED')
      release()
      expect(codeOf(await creating)).toBe('QUOTE_EXPIRED')
      expect(await countOrders(first)).toBe(before)
    } finally {
      release()
      second.freezeAt(undefined)
      await slow.stop()
    }
  })

  it.each([
    ['expired', 'ORDER_EXPIRED'],
    ['deposited', 'ORDER_ALREADY_DEPOSITED'],
  ])('that a worker sets to %s during its refresh is refused with %s', async (status, code) => {
    const { trackingId } = (await placed(first, solSend(first))).order
    const id = Buffer.from(trackingId.slice(3), 'base64url')
    const query: Database['query'] = async (text, parameters, name) => {
      if (text.includes('SET last_valid_block_height')) {
        await database.query('UPDATE orders SET status = $1 WHERE id = $2', [status, id])
      }
      return database.query(text, parameters, name)
    }
    const replica = await startApi({ ...second, database: { ...database, query } }, first.settings)
    try {
      const url = `/transfer/v1/order/${trackingId}/refresh`
      expect(codeOf(await send({ ...second, ...replica }, 'POST', url))).toBe(code)
    } finally {
      await replica.stop()
    }
  })
})
