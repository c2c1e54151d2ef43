import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { portFailure } from './port-failure.ts'

const listenOn = (port: number, host: string) =>
  new Promise<unknown>((resolve) => {
    const server = createServer().once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })

it('an error names the setting of a port or an address that can not be used', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo
  const used = portFailure(await listenOn(port, '127.0.0.1'), 'SOTTO_METRICS_PORT', port)
  expect(used).toMatchObject({
    name: 'OperatorError',
    message: `port ${port} is in use; stop the program that uses it, or set SOTTO_METRICS_PORT to another port`,
  })
  other.close()
  const away = portFailure(await listenOn(0, '192.0.2.1'), 'SOTTO_PORT', 0)
  expect(away).toMatchObject({ message: expect.stringContaining('correct SOTTO_HOST') as string })
  const unexpected = new Error('unexpected')
  expect(portFailure(unexpected, 'SOTTO_PORT', 1)).toBe(unexpected)
})
