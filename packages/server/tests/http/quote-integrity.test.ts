import type { Quote, QuoteRequest } from '@sotto/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, countOrders, order, orderBody, quoteOf, solSend } from './partner-client.ts'
import { changesOf } from './quote-changes.ts'

let stack: HttpStack
let request: QuoteRequest
let quote: Quote
beforeAll(async () => {
  stack = await startHttpStack()
  const partner = { feeBps: 50, feeRecipientAddress: stack.partner.address }
  request = solSend(stack, partner)
  quote = (await quoteOf(stack, request)).quote
})
afterAll(() => stack.close())

it('refuses an order with any single change of the quote', async () => {
  const before = await countOrders(stack)
  let changes = 0
  for (const changed of changesOf(quote)) {
    const answer = await order(stack, { ...orderBody(quote, request), quote: changed })
    expect([codeOf(answer), JSON.stringify(changed)]).toEqual([
      'QUOTE_MISMATCH',
      JSON.stringify(changed),
    ])
    changes += 1
  }
  expect(changes).toBeGreaterThan(80)
  expect(await countOrders(stack)).toBe(before)
})

it('refuses a quote with a member that has the prototype’s name', async () => {
  const text = JSON.stringify(orderBody(quote, request))
  for (const member of ['"__proto__":1', '"__proto__":{"a":1}', '"__proto__":null']) {
    for (const place of ['"quote":{', '"feeBreakdown":{']) {
      const changed = text.replace(place, `${place}${member},`)
      expect(changed).not.toBe(text)
      const answer = await order(stack, undefined, undefined, { text: changed })
      expect([member, place, codeOf(answer)]).toEqual([member, place, 'QUOTE_MISMATCH'])
    }
  }
})

it('refuses a quote that was made for another sender, recipient or share', async () => {
  const other = makeWallet().address
  const { feeBps: _, feeRecipientAddress: __, ...noPartner } = orderBody(quote, request)
  for (const body of [
    { ...orderBody(quote, request), senderAddress: other },
    { ...orderBody(quote, request), recipientAddress: other },
    { ...orderBody(quote, request), feeBps: 49 },
    { ...orderBody(quote, request), feeRecipientAddress: other },
    noPartner,
  ]) {
    expect(codeOf(await order(stack, body))).toBe('QUOTE_MISMATCH')
  }
})

it('refuses a number that a double cannot distinguish from the quoted number', async () => {
  const text = JSON.stringify(orderBody(quote, request)).replace(
    `"duration":${quote.duration}`,
    `"duration":${quote.duration}.00000000000000000001`,
  )
  expect(codeOf(await order(stack, undefined, undefined, { text }))).toBe('QUOTE_MISMATCH')
})

it('refuses a quote after its expiry', async () => {
  const late = (await quoteOf(stack, request)).quote
  stack.advanceMs(61_000)
  expect(codeOf(await order(stack, orderBody(late, request)))).toBe('QUOTE_EXPIRED')
})
