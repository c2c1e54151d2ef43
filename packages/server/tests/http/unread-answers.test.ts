import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import type { UseCases } from '../../src/http/use-cases.ts'
import { UNLIMITED } from './start-api.ts'

const server = createServer({
  ...UNLIMITED,
  ...{ clock: systemClock, random: systemRandom, silentMs: 300 },
  useCases: {} as UseCases,
  log: pinoLog('info', { write: () => undefined }),
})
beforeAll(() => server.listen({ host: '127.0.0.1', port: 0 }))
afterAll(() => server.close())

const connections = () =>
  new Promise<number>((resolve, reject) =>
    server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

it('ends a connection whose client never reads its answers', async () => {
  const { port } = server.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  // The answers are larger than all buffers between the two sockets.
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500))
  await vi.waitFor(async () => expect(await connections()).toBe(1), { timeout: HUNG_MS })
  await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: HUNG_MS })
  socket.destroy()
})
