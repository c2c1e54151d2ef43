import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { closeHttp } from '../../src/start/close-http.ts'
import { PLENTY } from './start-api.ts'

const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n'
const EVENTS = 'GET /transfer/v1/status/tr_x/events HTTP/1.1\r\nHost: a\r\n\r\n'
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'
const CONNECT_TOKENS = 'CONNECT transfer/v1/tokens HTTP/1.1\r\nHost: a\r\n\r\n'

let app: FastifyInstance
let port: number
const clients: Socket[] = []
/** Called when a key is checked. Its promise decides when the key is accepted. */
let authenticated: () => Promise<void>

beforeEach(async () => {
  authenticated = async () => undefined
  const useCases = {
    authenticate: async () => {
      await authenticated()
      return { account: { id: 'acme' }, keyId: 'key', scopes: ['read'] }
    },
    watchStatus: async () => ({ next: () => new Promise(() => undefined) }),
  }
  const log = { request: () => undefined, failed: () => undefined, event: () => undefined }
  app = createServer({
    ...{ useCases: useCases as never, log, rateLimit: PLENTY },
    ...{ clock: systemClock, random: systemRandom },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await app.close()
})

/**
 * Opens a connection. If `allowHalfOpen` is true, the client keeps its side open after the server has closed its own.
 */
function open(allowHalfOpen = false): { readonly client: Socket; readonly received: () => string } {
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen })
  clients.push(client)
  let text = ''
  client.setEncoding('utf8').on('data', (part: string) => (text += part))
  client.on('error', () => undefined)
  return { client, received: () => text }
}

const openConnections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

const liveStatus = async () => (await fetch(`http://127.0.0.1:${port}/livez`)).status

it('a CONNECT request right after another request ends only its own connection', async () => {
  const { client } = open()
  client.write(LIVEZ + CONNECT)
  await once(client, 'close')
  expect(await liveStatus()).toBe(200)
})

it('a CONNECT request on an open event stream ends only its own connection', async () => {
  const { client, received } = open()
  client.write(EVENTS)
  await expect.poll(received).toContain(': still here')
  client.write(CONNECT)
  await once(client, 'close')
  expect(await liveStatus()).toBe(200)
})

it.each([
  ['sends nothing more', (_client: Socket) => undefined],
  ['sends a byte and ends', (client: Socket) => void client.end('x')],
])('an answered CONNECT request keeps no connection open if its client %s', async (_name, go) => {
  const { client, received } = open(true)
  client.write(CONNECT)
  await expect.poll(received).toContain('404')
  go(client)
  await expect.poll(openConnections).toBe(0)
})

it('a CONNECT request that gets no answer does not keep the service from stopping', async () => {
  const isAsked = new Promise<void>((resolve) => {
    authenticated = () => {
      resolve()
      return new Promise(() => undefined)
    }
  })
  open(true).client.write(CONNECT_TOKENS)
  await isAsked
  await closeHttp(app, { ...systemClock, sleep: () => systemClock.sleep(0) })
  expect(app.server.listening).toBe(false)
})
