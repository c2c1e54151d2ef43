import { amount, U64_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeQuoteId, encodeQuoteId, quoteMessage, type QuoteBinding } from './quote-id.ts'
import { areSameBytes } from './same-bytes.ts'

const crowds = fc.record(
  {
    min: fc.integer({ min: 2, max: 32 }),
    missed: fc.constantFrom('refund' as const, 'deliver' as const),
  },
  { noNullPrototype: true },
)
const ids = fc.record({
  epoch: fc.nat(),
  nonce: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  accountExisted: fc.boolean(),
  isPayment: fc.boolean(),
  crowd: fc.option(crowds, { nil: undefined }),
  minDelaySeconds: fc.nat({ max: 2 ** 24 - 1 }),
  maxDelaySeconds: fc.nat({ max: 2 ** 24 - 1 }),
  value: fc.bigInt({ min: 0n, max: U64_MAX }).map(amount),
  mac: fc.uint8Array({ minLength: 16, maxLength: 16 }),
})

/** The same quoteId with a different flags byte. */
function withFlags(text: string, flags: number): string {
  const bytes = Buffer.from(text.slice(2), 'base64url')
  bytes[20] = flags
  return `q_${bytes.toString('base64url')}`
}

describe('a quoteId', () => {
  it('has exactly one valid text', () => {
    fc.assert(
      fc.property(ids, (id) => {
        const text = encodeQuoteId(id)
        expect(text).toMatch(/^q_[A-Za-z0-9_-]{68}$/)
        const read = decodeQuoteId(text)!
        expect(read).toEqual(id)
        expect(encodeQuoteId(read)).toBe(text)
      }),
    )
  })

  it.each([
    ['cut short', (text: string) => text.slice(0, -1)],
    ['padded', (text: string) => `${text}=`],
    ['followed by a space', (text: string) => `${text} `],
    ['without its prefix', (text: string) => text.slice(2)],
    ['prefixed twice', (text: string) => `q_${text}`],
    ['flagged for a missed crowd, but has no crowd', (text: string) => withFlags(text, 4)],
    ['written in standard base64', (text: string) => `${text.slice(0, -1)}+`],
  ])('is refused if it is %s', (_name, change) => {
    const id = {
      epoch: 1,
      accountExisted: true,
      isPayment: false,
      minDelaySeconds: 1,
      maxDelaySeconds: 2,
      value: amount(3n),
    }
    const bytes = new Uint8Array(16)
    expect(
      decodeQuoteId(change(encodeQuoteId({ ...id, nonce: bytes, mac: bytes }))),
    ).toBeUndefined()
  })

  it('is refused if it is not a string', () => {
    const listed = [`q_${'A'.repeat(68)}`]
    expect(decodeQuoteId(listed[0])).toBeDefined()
    for (const value of [undefined, null, 5, {}, [], listed]) {
      expect(decodeQuoteId(value)).toBeUndefined()
    }
  })
})

const ID = {
  epoch: 7,
  nonce: new Uint8Array(16),
  accountExisted: true,
  isPayment: false,
  minDelaySeconds: 10,
  maxDelaySeconds: 60,
  value: amount(98n),
}
const QUOTE = {
  amountIn: '100',
  duration: 45,
  feeBreakdown: { serviceFee: '1', partnerFee: '0', networkFee: '2' },
  quoteId: 'q_x',
}
const BINDING: QuoteBinding = {
  accountId: 'a',
  senderAddress: 's',
  recipientAddress: 'r',
  feeBps: 0,
  feeRecipientAddress: undefined,
}
const mac = (message: string) => createHmac('sha256', 'key').update(message).digest('hex')
const signed = mac(quoteMessage(ID, QUOTE, BINDING))

describe('the MAC of a quote', () => {
  it('has a message that must be the same in every version', () => {
    const header = `00000007${'00'.repeat(16)}0100000a00003c0000000000000062`
    const terms =
      '{"amountIn":"100","duration":45,' +
      '"feeBreakdown":{"networkFee":"2","partnerFee":"0","serviceFee":"1"}}'
    const message = (made: string) => `["sotto/quote/v1","${header}",${terms},${made}]`
    expect(quoteMessage(ID, QUOTE, BINDING)).toBe(message('"a","s","r",0,null'))
    // Texts are escaped as in JSON, so that one text can't look like several members.
    const odd = { accountId: 'a","b', senderAddress: '\\', feeBps: 25, feeRecipientAddress: 'null' }
    expect(quoteMessage(ID, QUOTE, { ...BINDING, ...odd })).toBe(
      message(String.raw`"a\",\"b","\\","r",25,"null"`),
    )
  })

  it('does not depend on the order of members', () => {
    const reordered = Object.fromEntries(Object.entries(QUOTE).reverse())
    expect(mac(quoteMessage(ID, reordered, BINDING))).toBe(signed)
  })

  it.each([
    ['another value', { ...QUOTE, amountIn: '101' }],
    ['another type', { ...QUOTE, amountIn: 100 }],
    ['a null', { ...QUOTE, duration: null }],
    ['an extra member', { ...QUOTE, extra: 1 }],
    ['a missing member', { amountIn: '100', feeBreakdown: QUOTE.feeBreakdown }],
    [
      'another nested value',
      { ...QUOTE, feeBreakdown: { ...QUOTE.feeBreakdown, networkFee: '3' } },
    ],
    ['an extra nested member', { ...QUOTE, feeBreakdown: { ...QUOTE.feeBreakdown, x: '' } }],
  ])('changes if the quote has %s', (_name, quote) => {
    expect(mac(quoteMessage(ID, quote, BINDING))).not.toBe(signed)
  })

  it.each([
    ['account', { accountId: 'b' }],
    ['sender', { senderAddress: 'r', recipientAddress: 's' }],
    ['feeBps', { feeBps: 1 }],
    ['fee recipient', { feeRecipientAddress: 'f' }],
    ['balance', { topUp: { key: 'k', lifeSeconds: 86_400, isReturned: true } }],
  ])('changes with the %s', (_name, change) => {
    expect(mac(quoteMessage(ID, QUOTE, { ...BINDING, ...change }))).not.toBe(signed)
  })

  it.each([
    ['epoch', { epoch: 8 }],
    ['nonce', { nonce: new Uint8Array(16).fill(1) }],
    ['accountExisted', { accountExisted: false }],
    ['kind', { isPayment: true }],
    ['least delay', { minDelaySeconds: 11 }],
    ['greatest delay', { maxDelaySeconds: 61 }],
    ['value', { value: amount(99n) }],
  ])("changes with the quoteId's %s", (_name, change) => {
    expect(mac(quoteMessage({ ...ID, ...change }, QUOTE, BINDING))).not.toBe(signed)
  })
})

describe('two MACs', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

  it('are equal only if every byte is equal', () => {
    fc.assert(
      fc.property(
        bytes(16),
        fc.nat({ max: 15 }),
        fc.integer({ min: 1, max: 255 }),
        (left, at, by) => {
          const right = Uint8Array.from(left)
          expect(areSameBytes(left, right)).toBe(true)
          right[at]! ^= by
          expect(areSameBytes(left, right)).toBe(false)
        },
      ),
    )
  })

  it('of different lengths differ, even if one begins with the other', () => {
    expect(areSameBytes(new Uint8Array(16), new Uint8Array(15))).toBe(false)
    expect(areSameBytes(new Uint8Array(15), new Uint8Array(16))).toBe(false)
  })
})
