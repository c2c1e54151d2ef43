import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { decodeQuoteId, encodeQuoteId } from '../../src/domain/quote-id.ts'
import type { EpochSecrets, Secrets } from '../../src/ports/secrets.ts'
import { openMigrated } from '../migrated-database.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { order, orderBody, placed, quoteOf, send, solSend, type Answer } from './partner-client.ts'
import { recordedDatabase, type RecordedDatabase } from './recorded-database.ts'
import { startApi, type StartedApi } from './start-api.ts'

const ABSENT_ID = 'tr_AAAAAAAAAAAAAAAAAAAAAA'
const OTHERS_KEY = 'a-key-of-another-account'
const OWN_KEY = 'a-key-of-the-own-account'

let setUp: HttpStack
let api: StartedApi
let stack: HttpStack
let other: HttpStack
let database: RecordedDatabase
/** A record of every use of an epoch's secrets, and of every call to the chain. */
const uses: string[] = []
let others: Awaited<ReturnType<typeof placed>>
let own: Awaited<ReturnType<typeof placed>>

/** Wraps secrets so that each use is recorded: reading keys, opening or sealing columns, computing MACs. */
function notedSecrets(secrets: Secrets): Secrets {
  const noted = <T extends object>(target: T, wrap: (result: unknown) => unknown): T =>
    new Proxy(target, {
      get: (of, name) => {
        const member = Reflect.get(of, name) as unknown
        if (typeof member !== 'function') return member
        return (...values: unknown[]) => {
          const label = name === 'open' || name === 'seal' ? ` ${String(values[1])}` : ''
          uses.push(`${String(name)}${label}`)
          return wrap((member as (...of: unknown[]) => unknown).apply(of, values))
        }
      },
    })
  const isEpoch = (found: unknown): found is EpochSecrets =>
    typeof found === 'object' && found !== null && 'quoteMac' in found
  const asNoted = (found: unknown) => (isEpoch(found) ? noted(found, (result) => result) : found)
  return noted(secrets, (result) =>
    result instanceof Promise ? result.then(asNoted) : asNoted(result),
  )
}

function notedRpc(rpc: ChainRpc): ChainRpc {
  return new Proxy(rpc, {
    get: (target, name) => {
      uses.push(`chain ${String(name)}`)
      return Reflect.get(target, name) as unknown
    },
  })
}

beforeAll(async () => {
  setUp = await startHttpStack(async () => openMigrated())
  database = recordedDatabase(setUp.database)
  const parts = { database, secrets: notedSecrets(setUp.secrets), rpc: notedRpc(setUp.rpc) }
  api = await startApi(parts, setUp.settings)
  stack = { ...setUp, ...api }
  await setUp.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const { apiKey } = await setUp.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
  other = { ...stack, apiKey }
  // Each order draws one of `open_orders_max` places at random. With so many places, two orders practically never draw
  // the same place.
  await setUp.database.query('UPDATE accounts SET open_orders_max = 1000000000', [])
  others = await placed(other, solSend(other), OTHERS_KEY)
  own = await placed(stack, solSend(stack), OWN_KEY)
})
afterAll(async () => {
  await api.stop()
  await setUp.close()
})

/** Returns the service's work for a request, and the response without the parts that differ in every response. */
async function workOf(request: () => Promise<Answer>) {
  // The clock moves on by a second, so the service has no cached key and head. The market is refreshed, so that its
  // data has the same age for each request.
  api.advanceMs(1_000)
  await api.market.refresh()
  database.statements.length = 0
  uses.length = 0
  const { status, body, headers } = await request()
  const statements = database.statements.map(({ text }) => text)
  const replayed = headers.get('idempotent-replayed')
  const answer = status === 200 ? { status } : { status, code: body['code'], replayed }
  return { answer, statements, uses: uses.toSorted() }
}

/** Makes a quoteId that has the service's format but that the service has never issued. */
function absentId(like: string): string {
  const id = decodeQuoteId(like)!
  const nonce = crypto.getRandomValues(new Uint8Array(16))
  return encodeQuoteId({ ...id, nonce, mac: crypto.getRandomValues(new Uint8Array(16)) })
}

it('the recording shows the additional work for the caller’s own order', async () => {
  const { trackingId } = own.order
  const seen = await workOf(() => send(stack, 'GET', `/transfer/v1/status/${trackingId}`))
  expect(seen.uses).toContain('open terms')
  const again = await workOf(() => order(stack, own.body, OWN_KEY))
  expect(again.uses).toContain('open response')
})

describe("another account's order causes the same work as a nonexistent order", () => {
  it.each([
    ['a status', (id: string) => send(stack, 'GET', `/transfer/v1/status/${id}`)],
    ['a refresh', (id: string) => send(stack, 'POST', `/transfer/v1/order/${id}/refresh`)],
    [
      'a deposit hint',
      (id: string) => send(stack, 'POST', '/transfer/v1/deposit', { body: { trackingId: id } }),
    ],
  ])('for %s', async (_, ask) => {
    const absent = await workOf(() => ask(ABSENT_ID))
    expect(absent.answer).toMatchObject({ status: 404, code: 'ORDER_NOT_FOUND' })
    expect(absent.statements.length).toBeGreaterThan(0)
    expect(await workOf(() => ask(others.order.trackingId))).toEqual(absent)
  })

  it.each([
    ['without a key', undefined],
    ['with that order’s key', OTHERS_KEY],
    ['with the key of the caller’s own order', OWN_KEY],
  ])('for POST /order with its quote, %s', async (_, key) => {
    const request = solSend(other)
    const unused = orderBody((await quoteOf(other, request)).quote, request)
    const absent = await workOf(() =>
      order(
        stack,
        { ...others.body, quote: { ...others.quote, quoteId: absentId(others.quote.quoteId) } },
        key === OWN_KEY ? OWN_KEY : key && 'a-key-of-nobody',
      ),
    )
    expect(absent.answer.status).not.toBe(200)
    expect(await workOf(() => order(stack, others.body, key))).toEqual(absent)
    expect(await workOf(() => order(stack, unused, key))).toEqual(absent)
  })

  it('for POST /order with its key and the caller’s own quote', async () => {
    const fresh = async () => {
      const request = solSend(stack)
      return orderBody((await quoteOf(stack, request)).quote, request)
    }
    const [first, second] = [await fresh(), await fresh()]
    const absent = await workOf(() => order(stack, first, 'a-key-of-nobody-yet'))
    expect(absent.answer).toEqual({ status: 200 })
    expect(absent.uses).toContain('seal response')
    expect(await workOf(() => order(stack, second, OTHERS_KEY))).toEqual(absent)
  })
})
