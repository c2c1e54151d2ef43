import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchDocument, type DocumentedOperation } from '../testing/openapi/read-document.ts'
import { silence } from './src/progress.ts'
import { openLocalStack, type LocalStack } from './src/stack/local-stack.ts'

type Body = Record<string, unknown>

let folder: string
let stack: LocalStack
let operations: readonly DocumentedOperation[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-documented-'))
  // Test mode is on, as in the service that `npm start` starts.
  const settings = { SOTTO_TEST_MODE: 'true' } as const
  const ports = { apiPort: 0, rpcPort: 0 }
  stack = await openLocalStack({ folder, ...ports, settings, progress: silence })
  operations = (await fetchDocument(stack.baseUrl)).operations
})
afterAll(async () => {
  await stack?.close()
  await rm(folder, { recursive: true, force: true })
})

const operation = (id: string): DocumentedOperation => operations.find((one) => one.id === id)!

/**
 * Sends a documented request with every documented parameter, and compares the response with the document.
 */
async function send(
  { id, method, path, parameters, answers }: DocumentedOperation,
  body: unknown,
): Promise<{ readonly status: number; readonly answer: Body }> {
  const url = new URL(stack.baseUrl)
  url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return parameters.find((parameter) => parameter.name === name)!.example!
  })
  const headers: Record<string, string> = { authorization: `Bearer ${stack.setup.apiKey}` }
  for (const { name, in: place, example } of parameters) {
    if (place === 'query' && example !== undefined) url.searchParams.set(name, example)
  }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(url, { method, headers, ...sent })
  const answer = (await response.json()) as Body
  const documented = answers.get(response.status)
  expect([id, response.status, documented === undefined]).toEqual([id, response.status, false])
  expect([documented!.validate(answer), documented!.validate.errors]).toEqual([true, null])
  return { status: response.status, answer }
}

/** A quote without the members that are random or depend on the time or on the chain. */
function terms(answer: Body): unknown {
  const { quote, rate, senderMustHold } = answer as { quote: Body; rate?: string } & Body
  const { quoteId: _q, issuedAt: _i, expiresAt: _e, duration: _d, max: _m, ...rest } = quote
  return { ...rest, rate, senderMustHold }
}

describe('a documented example request to the service of `npm start`', () => {
  it('gets the documented answer for every operation', async () => {
    for (const one of operations) {
      const bodies = Object.values(one.requests)
      for (const body of bodies.length === 0 ? [undefined] : bodies) await send(one, body)
    }
  })

  it.each(['send', 'exactOut', 'swap'])(
    'gets a quote with the documented amounts: %s',
    async (name) => {
      const quoting = operation('quoteTransfer')
      const { status, answer } = await send(quoting, quoting.requests[name])
      expect([status, answer['code']]).toEqual([200, undefined])
      const shown = quoting.answers.get(200)!.examples[name] as Body
      expect(terms(answer)).toEqual(terms(shown))
    },
  )

  it.each(['send', 'exactOut'])('makes an order with a new quote: %s', async (name) => {
    const [quoting, ordering] = [operation('quoteTransfer'), operation('createOrder')]
    const { answer } = await send(quoting, quoting.requests[name])
    // The documented quote is replaced, because the service accepts only its own quotes. All other members come from
    // the document.
    const body = { ...(ordering.requests[name] as Body), quote: answer['quote'] }
    const { status, answer: made } = await send(ordering, body)
    expect([status, made['code']]).toEqual([200, undefined])
    const shown = ordering.answers.get(200)!.examples[name] as { order: Body }
    const order = made['order'] as Body
    for (const member of ['amountIn', 'amountOut', 'sourceSymbol', 'destinationSymbol']) {
      expect(order[member]).toBe(shown.order[member])
    }
  })

  it('gets the documented list of assets', async () => {
    const listing = operation('listTokens')
    const { answer } = await send(listing, undefined)
    const shown = listing.answers.get(200)!.examples['default'] as Body
    const named = ({ tokens }: Body) =>
      (tokens as Body[]).map(({ assetId, symbol, decimals, kind, networkFee }) => {
        return { assetId, symbol, decimals, kind, networkFee }
      })
    expect(named(answer)).toEqual(named(shown))
  })

  it('registers a webhook endpoint', async () => {
    const registering = operation('createWebhook')
    const { status } = await send(registering, registering.requests['send'])
    expect(status).toBe(200)
  })
})
