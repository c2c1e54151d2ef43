import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { startBalancer, type Balancer } from './balancer.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/**
 * Starts a balancer with one replica. The replica reports that it is ready, and answers all other requests with
 * `answer`.
 */
async function balance(answer: RequestListener): Promise<Balancer> {
  const replica = createServer((request, response) => {
    if (request.url === '/readyz') response.end()
    else answer(request, response)
  })
  await new Promise<void>((resolve) => replica.listen(0, '127.0.0.1', resolve))
  undo.push(() => replica.closeAllConnections(), replica.close.bind(replica))
  const { port } = replica.address() as AddressInfo
  const balancer = await startBalancer([{ name: 'api-1', url: `http://127.0.0.1:${port}` }])
  undo.push(balancer.stop)
  await expect.poll(() => balancer.isUp('api-1')).toBe(true)
  return balancer
}

const post = (balancer: Balancer, signal: AbortSignal | null = null) =>
  fetch(`${balancer.url}/transfer/v1/order`, { method: 'POST', body: '{}', signal })

it('accepts successes and refusals', async () => {
  const balancer = await balance((_, response) => response.writeHead(422).end('{}'))
  expect((await post(balancer)).status).toBe(422)
  expect(balancer.tally).toMatchObject({ wrong: [], statuses: { '4xx': 1 } })
})

it('reports a server error', async () => {
  const balancer = await balance((_, response) => response.writeHead(503).end('{}'))
  expect((await post(balancer)).status).toBe(503)
  expect(balancer.tally.wrong).toEqual(['api-1 answered 503'])
})

it('reports a connection that ends without an answer', async () => {
  const balancer = await balance((request) => request.socket.destroy())
  expect((await post(balancer)).status).toBe(502)
  expect(balancer.tally.wrong).toEqual([expect.stringContaining('did not answer POST')])
})

it('reports an answer that is cut off', async () => {
  const balancer = await balance((_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half')
    setTimeout(() => response.destroy(), 50)
  })
  await expect(post(balancer).then((answer) => answer.text())).rejects.toThrow()
  expect(balancer.tally.wrong).toEqual([expect.stringContaining('broke off its answer to POST')])
})

it('reports a request that the client aborted before the answer', async () => {
  const leaving = new AbortController()
  const balancer = await balance(() => leaving.abort())
  await expect(post(balancer, leaving.signal)).rejects.toThrow()
  await expect.poll(() => balancer.tally.wrong).toEqual([expect.stringContaining('gave up')])
})
