import fastify from 'fastify'
import { createRequire } from 'node:module'
import { afterEach, expect, it } from 'vitest'
import { openObservation } from '../../src/start/open-observation.ts'
import { readConfig } from '../../src/config.ts'
import { openTracing, type RunningTracing } from '../../src/adapters/tracing/open-tracing.ts'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'

const SECRET = '7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2'
const CALLERS = '4bf92f3577b34da6a3ce929d0e0e4736'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function tracing(url?: string): Promise<{
  readonly to: OtlpReceiver
  readonly running: RunningTracing
  readonly failures: unknown[]
}> {
  const to = await startOtlpReceiver()
  undo.push(to.stop)
  const failures: unknown[] = []
  const running = await openTracing({
    url: url ?? to.url,
    authorization: 'Bearer of-the-collector',
    percent: 100,
    version: '1.2.3',
    roles: 'api',
    failed: (error) => failures.push(error),
  })
  return { to, running, failures }
}

// `@opentelemetry/api` is excluded, because Prometheus's client library loads it. That package does nothing without the
// other packages.
const SDK = /@opentelemetry\/(?!api\/)/
const loaded = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => SDK.test(path))
const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

// This test must be the first of the file, because later tests load the libraries.
it('a service without tracing loads no tracing library', async () => {
  const config = readConfig({
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: 'http://127.0.0.1:9',
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  })
  expect((await openObservation(config, ['api'])).tracing).toBeUndefined()
  expect(loaded()).toEqual([])
  await (await tracing()).running.stop()
  expect(loaded()).not.toEqual([])
})

it('a settlement is one trace with all its steps', async () => {
  const { to, running } = await tracing()
  const { within } = running
  const step = (name: 'prove' | 'rpc', detail: string) => within(name, detail, async () => 7)
  await step('rpc', 'getSlot')
  const answer = await within('settle', 'deliver', async () => {
    await step('prove', 'settlement')
    return step('rpc', 'sendTransaction')
  })
  expect(answer).toBe(7)
  await running.stop()
  const names = to.spans.map(({ name }) => name)
  expect(names).toEqual(['prove settlement', 'rpc sendTransaction', 'settle deliver'])
  const [proof, sent, settle] = to.spans as [ReceivedSpan, ReceivedSpan, ReceivedSpan]
  expect(new Set(to.spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect([proof.parentSpanId, sent.parentSpanId]).toEqual([settle.spanId, settle.spanId])
  expect(attributesOf(sent)).toEqual({ 'rpc.system': 'jsonrpc', 'rpc.method': 'sendTransaction' })
  expect(to.headers[0]).toMatchObject({ authorization: 'Bearer of-the-collector' })
})

it('an error is traced without its message', async () => {
  const { to, running } = await tracing()
  const failing = running.within('settle', 'refund', async () => {
    throw new TypeError(`no account ${SECRET}`)
  })
  await expect(failing).rejects.toThrow(SECRET)
  await running.stop()
  expect(attributesOf(to.spans[0]!)).toEqual({ 'error.type': 'TypeError' })
  expect(to.spans[0]!.status).toEqual({ code: 2 })
  expect(to.bodies.join()).not.toContain(SECRET)
})

it('requests other than GET are traced by their routes under new ids', async () => {
  const { to, running } = await tracing()
  const app = fastify()
  app.decorateRequest('startedMs', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.startedMs = 1_000
    done()
  })
  app.post('/order/:id/refresh', async () => running.within('rpc', 'getSlot', async () => ({})))
  app.get('/status/:id', async () => ({}))
  running.requests(app)
  const headers = { traceparent: `00-${CALLERS}-00f067aa0ba902b7-01`, baggage: `who=${SECRET}` }
  await app.inject({ method: 'POST', url: `/order/${SECRET}/refresh?q=${SECRET}`, headers })
  await app.inject({ method: 'GET', url: `/status/${SECRET}`, headers })
  await app.inject({ method: 'POST', url: `/${SECRET}`, headers })
  await app.close()
  await running.stop()
  const names = to.spans.map(({ name }) => name)
  expect(names).toEqual(['rpc getSlot', 'POST /order/:id/refresh', 'POST none'])
  expect(to.spans[0]!.parentSpanId).toBe(to.spans[1]!.spanId)
  expect(to.bodies.join()).not.toContain(SECRET)
  expect(to.bodies.join()).not.toContain(CALLERS)
})

it('an unreachable collector delays no work', async () => {
  const { running, failures } = await tracing('http://127.0.0.1:9')
  expect(await running.within('settle', 'deliver', async () => 'paid')).toBe('paid')
  await running.stop()
  expect(failures.length).toBeGreaterThan(0)
})
