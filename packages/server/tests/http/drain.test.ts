import { once } from 'node:events'
import { Agent, createServer as createHttpServer, request } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { Draining } from '../../src/http/draining.ts'
import { closable, closeHttp } from '../../src/start/close-http.ts'
import { PLENTY } from './start-api.ts'

interface Answer {
  readonly status: number
  readonly connection: string | undefined
  readonly text: string
  readonly socket: Socket
}

/** Starts a server with one account. The test decides when a request for the list of tokens is answered. */
async function startServer(whileClosing: () => Promise<void> = async () => undefined) {
  let answerTokens: (() => void) | undefined
  const log = { request: () => undefined, failed: () => undefined, event: () => undefined }
  const useCases = {
    whyUnready: async () => undefined,
    authenticate: async () => ({ account: { id: 'acme' }, keyId: 'key', scopes: ['read'] }),
    listTokens: () => new Promise((resolve) => (answerTokens = () => resolve({ tokens: [] }))),
    watchStatus: async () => ({ next: () => new Promise(() => undefined) }),
  }
  const draining = new Draining()
  const app = createServer({
    ...{ useCases: useCases as never, log, rateLimit: PLENTY, draining },
    ...{ clock: systemClock, random: systemRandom },
  })
  // This hook runs after the service's own hook, which ends the streams.
  app.addHook('preClose', whileClosing)
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ keepAlive: true })
  const ask = (path: string) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { authorization: 'Bearer x' }
      const asked = request(baseUrl + path, { agent, headers }, (answer) => {
        const { socket, statusCode: status = 0 } = answer
        const { connection } = answer.headers
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.on('error', reject)
        answer.on('end', () => resolve({ status, connection, text, socket }))
      })
      asked.on('error', reject).end()
    })
  const isAsked = () => expect.poll(() => answerTokens !== undefined).toBe(true)
  return { app, draining, ask, isAsked, answerTokens: () => answerTokens?.() }
}

const TOKENS = '/transfer/v1/tokens'
const EVENTS = '/transfer/v1/status/tr_x/events'

it('a process that will stop is not ready but answers every request', async () => {
  const { app, draining, ask } = await startServer()
  expect([(await ask('/readyz')).status, (await ask('/livez')).connection]).toEqual([
    200,
    'keep-alive',
  ])
  draining.begin()
  const ready = await ask('/readyz')
  expect([ready.status, ready.connection]).toEqual([503, 'close'])
  // The service accepts new connections, and closes each of them after its response.
  const [live, unknown] = [await ask('/livez'), await ask('/transfer/v1/nothing')]
  expect([live.status, live.connection]).toEqual([200, 'close'])
  expect([unknown.status, unknown.connection]).toEqual([404, 'close'])
  await app.close()
})

it('a request in progress is answered completely after the listener closes', async () => {
  const { app, draining, ask, isAsked, answerTokens } = await startServer()
  const slow = ask(TOKENS)
  await isAsked()
  // This request uses another connection, which is idle after the response.
  const { socket: idle } = await ask('/livez')
  draining.begin()
  const closed = closeHttp(app, systemClock)
  await expect.poll(() => idle.destroyed).toBe(true)
  answerTokens()
  expect((await slow).status).toBe(200)
  // The server closes only if the service also closes the keep-alive connection of the slow request.
  await closed
})

it('a client that never completes its request does not keep the operators’ port open', async () => {
  const server = createHttpServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const accepted = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write('GET /metrics HTTP/1.1\r\n')
  const [socket] = (await accepted) as [Socket]
  await expect.poll(() => socket.bytesRead).toBeGreaterThan(0)
  const hasLeft = once(client, 'close')
  await closeHttp(closable(server), { ...systemClock, sleep: () => systemClock.sleep(0) })
  await hasLeft
})

it('a stream that begins during the shutdown does not delay the shutdown', async () => {
  let late: Promise<Answer> | undefined
  const { app, ask } = await startServer(async () => {
    late = ask(EVENTS)
    expect((await late).text).toBe(': still here\n\n')
  })
  await app.close()
  expect(await late).toMatchObject({ status: 200 })
})
