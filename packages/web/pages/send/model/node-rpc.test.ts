import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { nodeRpc } from './node-rpc.ts'
import type { PageConfig } from './service.ts'

it('the client waits and repeats a request that the node refuses', async () => {
  const statuses = [429, 502, 200]
  const server = createServer((request, response) => {
    const status = statuses.shift() ?? 200
    const body = status === 200 ? JSON.stringify({ jsonrpc: '2.0', id: '0', result: 7 }) : 'busy'
    request.on('end', () => response.writeHead(status).end(body)).resume()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const config = { rpcUrl: `http://127.0.0.1:${port}` } as PageConfig
  try {
    expect(await nodeRpc(config).getSlot().send()).toBe(7n)
    expect(statuses).toEqual([])
  } finally {
    server.close()
  }
})

it('all parts of the page share one client', () => {
  const of = (rpcUrl: string) => nodeRpc({ rpcUrl } as PageConfig)
  expect(of('https://one.example')).toBe(of('https://one.example'))
  expect(of('https://one.example')).not.toBe(of('https://two.example'))
})
