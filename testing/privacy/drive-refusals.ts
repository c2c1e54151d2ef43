import { NATIVE_MINT } from '@sotto/protocol'
import { generateKeyPairSigner } from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { placeOrder, type Driven } from './drive-transfers.ts'

const SECRET_AMOUNT = '987654321012'

/**
 * Sends requests that the service must refuse. Each request contains a value that must not appear in any answer or
 * output.
 */
export async function driveRefusals(driven: Driven): Promise<void> {
  const { partner, needles, stage } = driven
  const memo = `memo-${randomUUID()}`
  const stranger = (await generateKeyPairSigner()).address
  const foreignKey = `sotto_test_${'Ab3'.repeat(4)}_${'Zz9'.repeat(16)}Q`
  needles.text('a memo', memo).address('a stranger', stranger).text('a foreign key', foreignKey)
  needles.amount('a refused amount', SECRET_AMOUNT)
  const placed = await placeOrder(driven)
  const { quote, body, headers, parties } = placed
  const post = (path: string, given: unknown, more = {}) =>
    partner.send('POST', `/transfer/v1${path}`, { body: given, headers: more })
  const request = {
    ...{ amount: SECRET_AMOUNT, sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
    ...parties,
  }
  // Malformed bodies.
  await partner.send('POST', '/transfer/v1/quote', { text: `{"amount": "${memo}` })
  await partner.send('POST', '/transfer/v1/quote', { text: `{"a":"${memo}","a":"${stranger}"}` })
  await partner.send('POST', '/transfer/v1/quote', { text: `"${memo}"` })
  await partner.send('POST', '/transfer/v1/quote', {
    text: JSON.stringify({ amount: memo.repeat(3_000) }),
  })
  await partner.send('POST', '/transfer/v1/quote', {
    text: memo,
    headers: { 'content-type': 'text/plain' },
  })
  await post('/quote', { ...request, memo })
  await post('/quote', { ...request, amount: memo })
  await post('/quote', { ...request, recipientAddress: memo })
  await post('/quote', { ...request, sourceAssetId: stranger })
  await post('/quote', { ...request, feeBps: 10, feeRecipientAddress: stranger })
  await post('/quote', request)
  // Orders with changed terms or a key that was used before.
  await post('/order', { ...body, quote: { ...quote, amountOut: SECRET_AMOUNT } }, headers)
  await post('/order', { ...body, reference: memo }, headers)
  await post('/order', body, { 'x-idempotency-key': memo })
  await post('/order', { ...body, recipientAddress: stranger }, { 'x-idempotency-key': memo })
  // Unknown ids, paths and queries.
  for (const path of [
    `/status/${memo}`,
    `/${memo}`,
    `/orders?cursor=${memo}`,
    `/tokens?to=${stranger}`,
  ]) {
    await partner.send('GET', `/transfer/v1${path}`)
  }
  await partner.send('GET', `/${stranger}?memo=${memo}`)
  await partner.send('DELETE', `/transfer/v1/webhooks/${memo}`)
  await partner.send('PUT', `/transfer/v1/order?memo=${memo}`)
  await post(`/order/${memo}/refresh`, {})
  await post('/deposit', { trackingId: memo, signature: memo })
  await post('/webhooks', { url: `https://10.0.0.1/${memo}` })
  // Unknown keys, and a valid key in the wrong place.
  for (const authorization of [`Bearer ${foreignKey}`, `Basic ${memo}`, foreignKey]) {
    await partner.send('GET', '/transfer/v1/tokens', { headers: { authorization } })
  }
  await partner.send('GET', `/transfer/v1/tokens?key=${stage.setup.apiKey}`)
}

/** Makes the screener and the node fail for a while, and then work again. */
export async function driveFailures(driven: Driven): Promise<void> {
  const { partner, stage, needles } = driven
  const refused = (await generateKeyPairSigner()).address
  needles.address('a refused party', refused)
  const placed = await placeOrder(driven)
  const request = {
    ...{ amount: SECRET_AMOUNT.slice(0, 10), sourceAssetId: NATIVE_MINT },
    ...{ destinationAssetId: NATIVE_MINT, ...placed.parties, recipientAddress: refused },
  }
  const post = (path: string, body: unknown) =>
    partner.send('POST', `/transfer/v1${path}`, { body })
  needles.amount('an amount that could not be screened', request.amount)
  for (const fault of ['cut', 'garbage', 500, 403] as const) {
    stage.screener.faults.push(fault, fault)
    await post('/quote', request)
  }
  stage.screener.faults.length = 0
  stage.proxy.setPercent(100)
  await post(`/order/${placed.order.trackingId}/refresh`, {})
  await post('/deposit', { trackingId: placed.order.trackingId })
  await post('/quote', { ...request, recipientAddress: placed.sender.address })
  stage.proxy.setPercent(0)
}
