import { afterAll, beforeAll, expect, it } from 'vitest'
import { FIRST_EPOCH } from '../../src/domain/epoch.ts'
import { decodeQuoteId, encodeQuoteId } from '../../src/domain/quote-id.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, countOrders, order, orderBody, quoteOf, solSend } from './partner-client.ts'

const HOUR_MS = 3_600_000

let stack: HttpStack
let offsetMs = 0
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const advance = (ms: number) => {
  offsetMs += ms
  stack.advanceMs(ms)
}

/** Moves the service's clock to `ms` before the next hour. */
function toBeforeTheHour(ms: number): void {
  const rest = HOUR_MS - ((Date.now() + offsetMs) % HOUR_MS)
  advance(rest - ms + (rest < ms ? HOUR_MS : 0))
}

async function quoted() {
  const request = solSend(stack)
  const { quote } = await quoteOf(stack, request)
  return { quote, body: orderBody(quote, request), epoch: decodeQuoteId(quote.quoteId)!.epoch }
}

it('a quote stays valid after the change to a new key', async () => {
  toBeforeTheHour(30_000)
  const old = await quoted()
  advance(40_000)
  const fresh = await quoted()
  expect(fresh.epoch).toBe(old.epoch + 1)
  expect((await order(stack, old.body)).status).toBe(200)
  expect((await order(stack, fresh.body)).status).toBe(200)
})

it('a quote becomes invalid when its key is destroyed', async () => {
  toBeforeTheHour(30_000)
  const old = await quoted()
  advance(40_000)
  const before = await countOrders(stack)
  await stack.secrets.destroy(old.epoch)
  expect(codeOf(await order(stack, old.body))).toBe('QUOTE_EXPIRED')
  expect(await countOrders(stack)).toBe(before)
})

it('a quote that names the key of another hour is QUOTE_MISMATCH', async () => {
  const { quote, body, epoch } = await quoted()
  await quoteOf(stack, solSend(stack))
  const id = decodeQuoteId(quote.quoteId)!
  for (const other of [epoch + 1, 0xffff_ffff]) {
    const quoteId = encodeQuoteId({ ...id, epoch: other })
    expect(codeOf(await order(stack, { ...body, quote: { ...quote, quoteId } }))).toBe(
      'QUOTE_MISMATCH',
    )
  }
  // The key of the past hour exists. Without that key, the error would be QUOTE_EXPIRED.
  advance(HOUR_MS)
  const later = await quoted()
  const moved = encodeQuoteId({ ...decodeQuoteId(later.quote.quoteId)!, epoch })
  const answer = await order(stack, { ...later.body, quote: { ...later.quote, quoteId: moved } })
  expect(codeOf(answer)).toBe('QUOTE_MISMATCH')
})

it('a change of any bit of a quoteId is refused', async () => {
  const { quote, body, epoch } = await quoted()
  const before = await countOrders(stack)
  const codeWith = async (quoteId: string) =>
    codeOf(await order(stack, { ...body, quote: { ...quote, quoteId } }))
  const bytes = Buffer.from(quote.quoteId.slice(2), 'base64url')
  const keys = new Set(await stack.secrets.list())
  for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7))
    const named = changed.readUInt32BE(0)
    // If a past hour has no key, its key counts as destroyed. This doesn't apply to hours before FIRST_EPOCH, because
    // no quote is so old.
    const isDead = named >= FIRST_EPOCH && named < epoch && !keys.has(named)
    const code = isDead ? 'QUOTE_EXPIRED' : 'QUOTE_MISMATCH'
    expect([bit, await codeWith(`q_${changed.toString('base64url')}`)]).toEqual([bit, code])
  }
  const texts = [
    `${quote.quoteId}=`,
    `${quote.quoteId} `,
    `q_${bytes.toString('base64')}==`,
    quote.quoteId.replace('q_', 'Q_'),
    quote.quoteId.slice(0, -4),
    `q_${Buffer.concat([bytes, Buffer.alloc(3)]).toString('base64url')}`,
  ]
  for (const quoteId of texts) {
    expect([quoteId, await codeWith(quoteId)]).toEqual([quoteId, 'QUOTE_MISMATCH'])
  }
  expect(await countOrders(stack)).toBe(before)
})

it('an order may list the quote’s members in any sequence', async () => {
  const { quote, body } = await quoted()
  const reversed = Object.fromEntries(Object.entries(quote).reverse())
  const { feeBreakdown } = quote
  const inner = Object.fromEntries(Object.entries(feeBreakdown).reverse())
  const answer = await order(stack, { ...body, quote: { ...reversed, feeBreakdown: inner } })
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, 'false'])
})

it('a quote is valid up to its last millisecond', async () => {
  const late = await quoted()
  const taken = await quoted()
  stack.freezeAt(Date.parse(taken.quote.expiresAt))
  expect((await order(stack, taken.body)).status).toBe(200)
  stack.freezeAt(Date.parse(late.quote.expiresAt) + 1)
  expect(codeOf(await order(stack, late.body))).toBe('QUOTE_EXPIRED')
  stack.freezeAt(undefined)
})
