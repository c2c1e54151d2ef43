import type { ListOrdersResponse } from '@sotto/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, orderBody, placed, quoteOf, send, solSend } from './partner-client.ts'

const ORDERS = '/transfer/v1/orders'
const COUNT = 5

let stack: HttpStack
/** The tracking ids of the account's orders, newest first. */
const own: string[] = []
beforeAll(async () => {
  stack = await startHttpStack()
  for (let index = 0; index < COUNT; index += 1) {
    own.unshift((await placed(stack, solSend(stack))).order.trackingId)
  }
})
afterAll(() => stack.close())

async function page(query: string, apiKey = stack.apiKey) {
  const answer = await send(stack, 'GET', ORDERS + query, { apiKey })
  expect(answer.status).toBe(200)
  const { orders, nextCursor } = answer.body as ListOrdersResponse
  return { ids: orders.map(({ trackingId }) => trackingId), orders, nextCursor }
}

describe('pages', () => {
  it('of any size list the newest orders first', async () => {
    for (const limit of [1, 2, COUNT - 1]) {
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`
        const { ids, nextCursor } = await page(`?limit=${limit}${more}`)
        expect(ids.length).toBeLessThanOrEqual(limit)
        seen.push(...ids)
        cursor = nextCursor
      }
      expect(seen).toEqual(own)
    }
    for (const query of ['', `?limit=${COUNT}`, '?limit=100']) {
      expect(await page(query)).toMatchObject({ ids: own, nextCursor: null })
    }
  })

  it('list each order once if another order is made between two pages', async () => {
    const first = await page('?limit=2')
    const { trackingId } = (await placed(stack, solSend(stack))).order
    const second = await page(`?limit=2&cursor=${first.nextCursor}`)
    expect([...first.ids, ...second.ids]).toEqual(own.slice(0, 4))
    expect((await page('?limit=1')).ids).toEqual([trackingId])
    own.unshift(trackingId)
  })

  it('list each order once if all orders have the same time', async () => {
    await stack.database.query(`UPDATE orders SET created_at = '2026-01-01T00:00:00Z'`, [])
    const seen: string[] = []
    let query = '?limit=1'
    for (;;) {
      const { ids, nextCursor } = await page(query)
      seen.push(...ids)
      if (nextCursor === null) break
      query = `?limit=1&cursor=${nextCursor}`
    }
    expect([...seen].sort()).toEqual([...own].sort())
  })
})

describe('a cursor', () => {
  it.each([
    ['empty', ''],
    ['text', 'x'],
    ['too short', Buffer.alloc(23).toString('base64url')],
    ['too long', Buffer.alloc(25).toString('base64url')],
    ['padded', `${Buffer.alloc(24).toString('base64url')}=`],
    ['with a time after every order', Buffer.alloc(24, 255).toString('base64url')],
    ['with the last time that a cursor could hold', `AAD_______${'A'.repeat(22)}`],
  ])('is refused as an invalid request: %s', async (_name, cursor) => {
    const answer = await send(stack, 'GET', `${ORDERS}?cursor=${encodeURIComponent(cursor)}`)
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'cursor'])
  })

  it('of another account shows only the caller’s own orders', async () => {
    await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
    const { apiKey } = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
    const theirs = (await placed({ ...stack, apiKey }, solSend(stack))).order.trackingId
    const { nextCursor } = await page('?limit=1')
    const { ids } = await page(`?cursor=${nextCursor}`, apiKey)
    expect(ids.filter((id) => id !== theirs)).toEqual([])
    expect((await page('?limit=100')).ids).not.toContain(theirs)
  })

  it('that no list has returned shows only the caller’s own orders', async () => {
    await stack.operate('account', 'add', '--id', 'third', '--name', 'Third')
    const { apiKey } = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'third')
    const { nextCursor } = await page('?limit=1')
    const invented = Buffer.from(nextCursor!, 'base64url').fill(255, 8).toString('base64url')
    expect((await page(`?cursor=${invented}`)).ids.length).toBeGreaterThan(0)
    expect((await page(`?cursor=${invented}`, apiKey)).ids).toEqual([])
  })
})

it.each(['limit=0', 'limit=101', 'limit=', 'limit=01', 'limit=1.0', 'limit=-1', 'limit=1&limit=2'])(
  'refuses %s',
  async (query) => {
    const answer = await send(stack, 'GET', `${ORDERS}?${query}`)
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'limit'])
  },
)

it('refuses an unknown parameter', async () => {
  const answer = await send(stack, 'GET', `${ORDERS}?page=2`)
  expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'page'])
})

describe('a reference', () => {
  const withReference = async (reference: unknown) => {
    const request = solSend(stack)
    const { quote } = await quoteOf(stack, request)
    return order(stack, { ...orderBody(quote, request), reference })
  }

  it.each(['!', ' ', '~'.repeat(64), '<b>&"\\ invoice 7'])(
    '%j is in the status and in the list',
    async (reference) => {
      const made = (await withReference(reference)).body['order'] as { trackingId: string }
      const url = `/transfer/v1/status/${made.trackingId}`
      const status = (await send(stack, 'GET', url)).body['order']
      expect(status).toHaveProperty('reference', reference)
      const { orders } = await page('?limit=100')
      const listed = orders.find(({ trackingId }) => trackingId === made.trackingId)
      expect(listed).toHaveProperty('reference', reference)
    },
  )

  it.each(['', '~'.repeat(65), 'tab\t', 'ümlaut', 7, null])('%j is refused', async (reference) => {
    const answer = await withReference(reference)
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'reference'])
  })

  it('is absent if it was not given', async () => {
    const { orders } = await page('')
    expect(orders.some((one) => !('reference' in one))).toBe(true)
  })
})
