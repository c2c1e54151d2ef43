import { Duplex } from 'node:stream'
import { expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { ServiceError } from '../../src/usecases/service-error.ts'
import { PLENTY } from './start-api.ts'

it.each([
  ['no proxy', []],
  ['a trusted proxy', ['192.0.2.1', '198.51.100.0/24']],
])(
  'with %s, requests without a key get their usual answers even if the client has already left',
  async (_name, trustedProxies) => {
    const failures: unknown[] = []
    const useCases = {
      authenticate: () => {
        throw new ServiceError('UNAUTHORIZED')
      },
      readLeaves: async () => ({ response: { leaves: [] }, isPermanent: false }),
    }
    const app = createServer({
      ...{ useCases: useCases as never, rateLimit: PLENTY, trustedProxies },
      log: {
        request: () => undefined,
        failed: (...failed) => void failures.push(failed),
        event: () => undefined,
      },
      ...{ clock: systemClock, random: systemRandom },
    })
    await app.ready()
    /** Sends a request on a connection without an address, as the system reports it after the client has left. */
    const statusOf = (path: string) =>
      new Promise<string>((resolve) => {
        let text = ''
        const connection = new Duplex({
          read: () => undefined,
          write: (chunk, _encoding, done) => {
            text += String(chunk)
            done()
          },
          final: (done) => {
            done()
            resolve(text.split('\r\n')[0]!)
          },
        })
        app.server.emit('connection', connection)
        connection.push(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      })
    expect(await statusOf('/transfer/v1/tokens')).toBe('HTTP/1.1 401 Unauthorized')
    expect(await statusOf('/transfer/v1/leaves')).toBe('HTTP/1.1 200 OK')
    expect(failures).toEqual([])
    await app.close()
  },
)
