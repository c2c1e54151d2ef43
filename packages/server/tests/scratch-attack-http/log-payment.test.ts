import type { Payment } from '@sotto/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { orderPayment, ownBalance, sendSignature, signatureOf } from '../http/balance-client.ts'
import { quoteOf, solSend } from '../http/partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

it('the log does not show whose payment was quoted, ordered and signed', async () => {
  await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const other = {
    ...stack,
    apiKey: (await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')).apiKey,
  }
  const keyIdOf = (key: string) => key.split('_')[2]
  // Another partner quotes transfers all the time, every second.
  let isBusy = true
  const busy = (async () => {
    while (isBusy) {
      await quoteOf(other, solSend(other))
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  })()
  let right = 0
  const tries = 12
  for (let round = 0; round < tries; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 150))
    const payer = round % 2 === 0 ? stack : stack
    const balance = await ownBalance(payer)
    const from = stack.logged().length
    const { order: made } = await orderPayment(payer, balance)
    await sendSignature(
      payer,
      made.trackingId,
      signatureOf(payer, balance, made.payment as Payment),
    )
    const lines = stack
      .logged()
      .slice(Math.max(0, from))
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { route?: string; keyId?: string; time: number; status: number },
      )
    const ordered = lines.findIndex(({ route }) => route === '/transfer/v1/payment')
    // The reader of the log takes the key of the last quote before the payment's order.
    const quote = lines.slice(0, ordered).findLast(({ route }) => route === '/transfer/v1/quote')

    if (quote?.keyId !== undefined && quote.keyId === keyIdOf(payer.apiKey)) right += 1
  }
  isBusy = false
  await busy
  console.log('RIGHT', right, 'of', tries)
  expect(right).toBeLessThan(tries / 2)
})
