import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { PLENTY } from '../http/start-api.ts'

const PATH = '/transfer/v1/status/tr_x/events'
const STREAMS_PER_KEY = 20

it('no stream stays open for a client that disconnects before its key is read', async () => {
  let letIn: () => void = () => undefined
  let hasBegun: () => void = () => undefined
  const useCases = {
    authenticate: async () => {
      hasBegun()
      await new Promise<void>((resolve) => (letIn = resolve))
      return { account: { id: 'acme' }, keyId: 'key', scopes: ['read'] }
    },
    watchStatus: async () => ({ next: () => new Promise(() => undefined) }),
  }
  const log = { request: () => undefined, failed: () => undefined, event: () => undefined }
  const app = createServer({
    ...{ useCases: useCases as never, log, rateLimit: PLENTY },
    ...{ clock: systemClock, random: systemRandom },
  })
  const connections: Promise<unknown>[] = []
  app.server.on('connection', (socket) => connections.push(once(socket, 'close')))
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  for (let count = 0; count < STREAMS_PER_KEY; count += 1) {
    const begun = new Promise<void>((resolve) => (hasBegun = resolve))
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) })
    socket.write(`GET ${PATH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n\r\n`)
    await begun
    socket.destroy()
    await connections.at(-1)
    letIn()
  }
  const begun = new Promise<void>((resolve) => (hasBegun = resolve))
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer x' }
  const opening = fetch(baseUrl + PATH, { headers, signal: leaving.signal })
  await begun
  letIn()
  expect((await opening).status).toBe(200)
  leaving.abort()
  await app.close()
})
