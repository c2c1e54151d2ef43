import { describe, expect, it } from 'vitest'
import type { OpenPages } from './open-pages.ts'
import { proxyClient, type Made } from './proxy-client.ts'

const SOL = 'So11111111111111111111111111111111111111112'
/** Tests of the proxy that adds the page's API key to the requests of browsers. */
export function describeProxy(opened: () => OpenPages): void {
  const client = () => proxyClient(opened().stack.baseUrl)
  const ask = (path: string, init?: RequestInit) => client().ask(path, init)
  const post = (path: string, body: object, headers?: Record<string, string>) =>
    client().post(path, body, headers)
  const makeOrder = () => client().makeOrder()

  describe('the proxy of the send page', () => {
    it('shows an order only to the browser that made it', async () => {
      const [one, other] = [(await makeOrder()) as Made, (await makeOrder()) as Made]
      const path = `/send/api/orders/${one.trackingId}`
      for (const part of [`Path=${path};`, 'HttpOnly', 'SameSite=Strict']) {
        expect(one.attributes).toContain(part)
      }
      const status = async (headers: Record<string, string>) =>
        (await ask(`/orders/${one.trackingId}`, { headers })).status
      expect(await status({ cookie: one.cookie })).toBe(200)
      expect(await status({})).toBe(404)
      expect(await status({ cookie: other.cookie })).toBe(404)
      expect(await status({ cookie: `${other.cookie}; ${one.cookie}` })).toBe(200)
      expect((await post(`/orders/${one.trackingId}/refresh`, {})).status).toBe(404)
      expect((await post(`/orders/${one.trackingId}/deposit`, {})).status).toBe(404)
      expect((await post(`/orders/${one.trackingId}/signature`, {})).status).toBe(404)
      const asPartner = { authorization: `Bearer ${opened().stack.setup.apiKey}` }
      const { baseUrl } = opened().stack
      const elsewhere = `${baseUrl}/transfer/v1/status/${one.trackingId}`
      expect((await fetch(elsewhere, { headers: asPartner })).status).toBe(404)
    })

    it('answers requests only from pages of its own origin', async () => {
      const json = { 'content-type': 'application/json' }
      for (const headers of [
        json,
        { ...json, origin: 'https://evil.example' },
        { ...json, 'sec-fetch-site': 'cross-site' },
        { ...json, 'sec-fetch-site': 'same-site' },
      ]) {
        for (const path of [
          '/quote',
          '/orders',
          '/payments',
          '/orders/tr_x/refresh',
          '/orders/tr_x/signature',
          '/node',
        ]) {
          expect((await post(path, {}, headers)).status, path).toBe(403)
        }
      }
      expect((await ask('/tokens', { headers: { origin: 'https://evil.example' } })).status).toBe(
        403,
      )
      const plain = { 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' }
      expect((await post('/quote', {}, plain)).status).toBe(415)
    })

    it('forwards to its node only the methods that a transfer needs', async () => {
      const call = (method: string, params: unknown[]) =>
        post('/node', { jsonrpc: '2.0', id: 1, method, params })
      const height = await call('getBlockHeight', [{ commitment: 'confirmed' }])
      expect(await height.json()).toMatchObject({ result: expect.any(Number) as number })
      for (const method of ['getProgramAccounts', 'localnet_advanceTime', 'getHealth']) {
        expect((await call(method, [SOL])).status, method).toBe(400)
      }
      expect((await call('getAccountInfo', ['x'.repeat(9_000)])).status).toBe(413)
      const many = Array<string>(17).fill(SOL)
      expect((await call('getMultipleAccounts', [many])).status).toBe(400)
    })

    it('limits the number of orders from one IP address', async () => {
      const statuses: unknown[] = []
      for (let made = 0; made < 12; made += 1) statuses.push(await makeOrder())
      expect(statuses).toContain(429)
    })
  })
}
