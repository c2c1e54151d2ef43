import { OPERATIONS, type Operation } from '@sotto/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, send, solSend } from './partner-client.ts'
import { recordedDatabase, type RecordedDatabase } from './recorded-database.ts'
import { startApi, type StartedApi } from './start-api.ts'
import { openMigrated } from '../migrated-database.ts'

let setUp: HttpStack
let api: StartedApi
let stack: HttpStack
let database: RecordedDatabase
let chainCalls = 0
let trackingId: string
let othersTrackingId: string
let webhookId: string
beforeAll(async () => {
  setUp = await startHttpStack(async () => openMigrated())
  database = recordedDatabase(setUp.database)
  const parts = { database, secrets: setUp.secrets, rpc: countedRpc(setUp.rpc) }
  api = await startApi(parts, setUp.settings)
  stack = { ...setUp, ...api }
  trackingId = (await placed(stack, solSend(stack))).order.trackingId
  const hook = { body: { url: 'http://127.0.0.1:9/' } }
  const registered = await send(stack, 'POST', '/transfer/v1/webhooks', hook)
  webhookId = (registered.body['webhook'] as { webhookId: string }).webhookId
  await setUp.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const made = await setUp.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
  const other = { ...stack, apiKey: made.apiKey }
  othersTrackingId = (await placed(other, solSend(other))).order.trackingId
})
beforeEach(() => {
  database.statements.length = 0
  chainCalls = 0
})
afterAll(async () => {
  await api.stop()
  await setUp.close()
})

function countedRpc(rpc: ChainRpc): ChainRpc {
  return new Proxy(rpc, {
    get: (target, name) => {
      chainCalls += 1
      return Reflect.get(target, name) as unknown
    },
  })
}

/** Advances the clock by one second, after which a verified key is looked up again. */
const forgetKeys = () => api.advanceMs(1_000)

const GETS = (Object.values(OPERATIONS) as Operation[])
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path)

/** Returns everything that the database contains, as text. */
async function dump(): Promise<string> {
  const named = await setUp.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' ORDER BY table_name`,
    [],
  )
  const tables: string[] = []
  for (const { name } of named) {
    const [row] = await setUp.database.query<{ rows: string }>(
      `SELECT coalesce(string_agg(t::text, ' ' ORDER BY t::text), '') AS rows FROM ${name} t`,
      [],
    )
    tables.push(`${name}: ${row!.rows}`)
  }
  return tables.join('\n')
}

describe('a GET', () => {
  it('is checked with a recording in which a POST’s writes and chain calls can be seen', async () => {
    expect(GETS.length).toBeGreaterThan(2)
    const before = await dump()
    await placed(stack, solSend(stack))
    expect(database.statements.some(({ text }) => text.startsWith('INSERT'))).toBe(true)
    expect(chainCalls).toBeGreaterThan(0)
    expect(await dump()).not.toBe(before)
  })

  it.each([
    ...GETS,
    '/transfer/v1/status/tr_AAAAAAAAAAAAAAAAAAAAAA',
    '/transfer/v1/nothing',
    ...['/livez', '/readyz', '/openapi.json', '/docs', '/docs/errors/INTERNAL'],
  ])('%s writes nothing and does not query the chain', async (path) => {
    const before = await dump()
    for (const _ of [1, 2]) {
      const ids = path.replaceAll(':trackingId', trackingId).replaceAll(':webhookId', webhookId)
      const url = stack.baseUrl + ids
      const headers = { authorization: `Bearer ${stack.apiKey}` }
      const answer = await fetch(url, { headers })
      await answer.arrayBuffer()
      expect(answer.status).not.toBe(500)
      // The second request is sent two hours later by the service's clock, when all cached data has expired. Even then,
      // a GET must not update orders.
      api.advanceMs(7_200_000)
    }
    for (const { text } of database.statements) expect(text).toMatch(/^SELECT\b/)
    expect(chainCalls).toBe(0)
    expect(await dump()).toBe(before)
  })

  it('that streams an order writes nothing and does not query the chain', async () => {
    const before = await dump()
    const gone = new AbortController()
    const answer = await fetch(`${stack.baseUrl}/transfer/v1/status/${trackingId}/events`, {
      headers: { authorization: `Bearer ${stack.apiKey}` },
      signal: gone.signal,
    })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!/^id: 1\n/m.test(text)) text += (await reader.read()).value ?? expect.fail(text)
    gone.abort()
    for (const { text: sent } of database.statements) expect(sent).toMatch(/^SELECT\b/)
    expect(database.statements.length).toBeGreaterThan(0)
    expect(chainCalls).toBe(0)
    expect(await dump()).toBe(before)
  })
})

it('requests for a quote store nothing', async () => {
  const before = await dump()
  for (const change of [{}, { destinationAssetId: stack.usdc }, { amount: '0' }]) {
    const body = solSend(stack, change)
    for (const _ of [1, 2, 3]) await send(stack, 'POST', '/transfer/v1/quote', { body })
  }
  expect(database.statements.filter(({ text }) => !/^SELECT\b/.test(text))).toEqual([])
  expect(await dump()).toBe(before)
})

describe("another account's order", () => {
  const ABSENT = 'tr_AAAAAAAAAAAAAAAAAAAAAA'
  const asks = (id: string) =>
    [
      ['GET', `/transfer/v1/status/${id}`, undefined],
      ['POST', `/transfer/v1/order/${id}/refresh`, undefined],
      ['POST', '/transfer/v1/deposit', { trackingId: id }],
    ] as const

  /** Sends a request about an id. Returns the response without the parts that differ between any two responses. */
  async function answerTo([method, url, body]: ReturnType<typeof asks>[number]) {
    forgetKeys()
    database.statements.length = 0
    const answer = await send(stack, method, url, { body })
    const { requestId: _, ...rest } = answer.body
    const texts = database.statements.map(({ text }) => text)
    return { status: answer.status, code: codeOf(answer), rest, texts, chainCalls }
  }

  it.each([0, 1, 2])(
    'causes the same answer and statements as a nonexistent order (request %i)',
    async (way) => {
      const absent = await answerTo(asks(ABSENT)[way]!)
      expect(absent.code).toBe('ORDER_NOT_FOUND')
      expect(absent.chainCalls).toBe(0)
      for (const id of [othersTrackingId, 'x', `${trackingId}A`, 'tr_AAAAAAAAAAAAAAAAAAAAAB']) {
        expect(await answerTo(asks(id)[way]!)).toEqual(absent)
      }
    },
  )

  it('is not found, because each search names the caller’s account', async () => {
    await answerTo(asks(othersTrackingId)[0])
    const ofOrders = database.statements.filter(({ text }) => /\borders\b/.test(text))
    expect(ofOrders).toHaveLength(2)
    const [asOrder, asPayment] = ofOrders
    expect(asOrder?.text).toMatch(
      /WHERE id = decode\(given\.searched, 'hex'\)\s+AND account_id IS NOT DISTINCT FROM given\.account_id/,
    )
    expect(JSON.parse(String(asOrder?.parameters[0]))).toMatchObject([{ account_id: 'acme' }])
    expect(asPayment?.text).toMatch(/WHERE o\.id = \$1 AND o\.account_id IS NOT DISTINCT FROM \$2/)
    expect(asPayment?.parameters[1]).toBe('acme')
    // The other statement reads the API key.
    expect(database.statements).toHaveLength(3)
  })
})

it('a malformed key causes no database statement', async () => {
  await send(stack, 'GET', '/transfer/v1/tokens', { apiKey: stack.apiKey.slice(0, -1) })
  expect(database.statements).toEqual([])
  forgetKeys()
  await send(stack, 'GET', '/transfer/v1/tokens')
  expect(database.statements.map(({ text }) => text.slice(0, 6))).toEqual(['SELECT'])
})
