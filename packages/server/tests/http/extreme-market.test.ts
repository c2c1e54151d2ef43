import type { QuoteRequest, StatusResponse, TokensResponse } from '@sotto/contract'
import { addressFromBytes, NATIVE_MINT } from '@sotto/protocol'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordPaid } from '../../src/adapters/store/paid-payees.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, quoteOf, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const swap = (change: Partial<QuoteRequest> = {}) =>
  solSend(stack, { destinationAssetId: stack.usdc, ...change })

const quoteCode = async (body: QuoteRequest) =>
  codeOf(await send(stack, 'POST', '/transfer/v1/quote', { body }))

async function setRate(
  numerator: string,
  denominator: string,
  source: string = NATIVE_MINT,
  destination: string = stack.usdc,
): Promise<void> {
  const rate = { source, destination, numerator, denominator }
  await writeFile(stack.settings['SOTTO_PRICES_FILE']!, JSON.stringify({ rates: [rate] }))
}

it('a swap is LIQUIDITY_UNAVAILABLE if no amount can pay for its delivery', async () => {
  const most = '9'.repeat(30)
  await setRate('1', most)
  expect(await quoteCode(swap())).toBe('LIQUIDITY_UNAVAILABLE')
  // The source asset is so expensive that one base unit is worth more than the whole inventory.
  await setRate(most, '1')
  expect(await quoteCode(swap())).toBe('LIQUIDITY_UNAVAILABLE')
  // At this rate, the required input is far above the operator's maximum, but it fits into u64.
  await setRate('1', '1000000000')
  expect(await quoteCode(swap())).toBe('LIQUIDITY_UNAVAILABLE')
  await stack.setRate(15)
  expect(await quoteCode(swap())).toBeUndefined()
})

it('a send is LIQUIDITY_UNAVAILABLE if no input covers the network fee', async () => {
  const setFee = async (fee: string) => {
    await stack.database.query('UPDATE assets SET network_fee_created = $1 WHERE mint = $2', [
      fee,
      stack.usdc,
    ])
    await stack.market.refresh()
  }
  await setFee('18446744073709551615')
  const usdc = { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc }
  for (const mode of ['exact_in', 'exact_out'] as const) {
    expect(await quoteCode(solSend(stack, { ...usdc, mode }))).toBe('LIQUIDITY_UNAVAILABLE')
  }
  const { tokens } = (await send(stack, 'GET', '/transfer/v1/tokens')).body as TokensResponse
  const listed = tokens.find(({ assetId }) => assetId === stack.usdc)
  expect(listed).toMatchObject({ canSend: false, min: '18446744073709551615' })
  await setFee('350000')
})

it('an ordered swap reduces the max of the next quote immediately', async () => {
  const { quote: before } = await quoteOf(stack, swap())
  const { quote: taken } = await placed(stack, swap({ amount: '5000000000' }))
  const { quote: after } = await quoteOf(stack, swap())
  // Apart from the fee, the new maximum is the earlier maximum minus the ordered amount.
  expect(BigInt(after.max)).toBeLessThan(BigInt(before.max))
  const rest = BigInt(before.max) - BigInt(taken.amountIn)
  const fee = BigInt(taken.fee)
  expect(BigInt(after.max) - rest).toBeLessThanOrEqual(fee)
  expect(BigInt(after.max) - rest).toBeGreaterThanOrEqual(-fee)
  // The swap is counted only once, so the next read of the database gives the same result.
  await stack.market.refresh()
  expect((await quoteOf(stack, swap())).quote.max).toBe(after.max)
})

const asked = async (change: Partial<QuoteRequest>) => {
  const request = solSend(stack, change)
  const { quote, privacy, suggestions = [] } = await quoteOf(stack, request)
  expect(privacy.suggestedAmounts).toEqual(suggestions.map(({ amount }) => amount))
  return { request, quote, suggestions }
}

it('a quote suggests amounts that deliver the nearest round amounts exactly', async () => {
  const { usdc } = stack
  await setRate('3', '20')
  const share = { feeBps: 50, feeRecipientAddress: stack.partner.address }
  const toUsdc = { amount: '850000000', destinationAssetId: usdc }
  const toSol = { amount: '25500000', sourceAssetId: usdc }
  const around = ['1000000000', '1500000000', '2000000000', '2500000000']
  const cases: [Partial<QuoteRequest>, string[]][] = [
    [{ amount: '1700000000' }, around],
    [{ amount: '1700000000', ...share }, around],
    [{ amount: '1700000000', mode: 'exact_out', ...share }, around],
    [{ ...toUsdc, ...share }, ['75000000', '100000000', '150000000', '200000000']],
    [toSol, ['100000000', '150000000', '200000000', '250000000']],
  ]
  for (const [change, figures] of cases) {
    if (change === toSol) await setRate('20', '3', usdc, NATIVE_MINT)
    const { request, quote, suggestions } = await asked(change)
    expect(suggestions.map(({ amountOut }) => amountOut)).toEqual(figures)
    expect(figures).not.toContain(quote.amountOut)
    for (const { amount, amountOut } of suggestions) {
      const next = await quoteOf(stack, { ...request, amount })
      expect(next.quote).toMatchObject({ amountOut, mode: quote.mode })
    }
  }
  await stack.setRate(15)
})

it('a quote suggests only amounts between its min and max', async () => {
  const { quote, suggestions } = await asked({})
  const { suggestions: most } = await asked({ amount: quote.max })
  expect(most.every(({ amount }) => BigInt(amount) <= BigInt(quote.max))).toBe(true)
  const { suggestions: least } = await asked({ amount: quote.min })
  expect(least.every(({ amount }) => BigInt(amount) >= BigInt(quote.min))).toBe(true)
  expect([suggestions.length, most.length, least.length]).toEqual([4, 2, 2])
})

const OTHERS = 40
const EXACT_OUT = { mode: 'exact_out' } as const

it('a quote computes a transfer’s privacy from public deposits and settlements', async () => {
  for (let count = 0; count < OTHERS; count += 1) await placed(stack, solSend(stack, EXACT_OUT))
  const orders = await stack.database.query<{ id: Uint8Array; sender: string; value: string }>(
    `SELECT id, sender, value FROM orders ORDER BY created_at DESC LIMIT ${OTHERS}`,
    [],
  )
  const now = stack.market.latest!.finalSeconds
  const deposit = async (senderOf: (place: number) => string) => {
    for (const [place, { id }] of orders.entries()) {
      await stack.database.query('UPDATE orders SET deposit_at = $2, sender = $3 WHERE id = $1', [
        ...[id, `${now}`, senderOf(place)],
      ])
    }
    await stack.market.refresh()
  }
  const privacyOf = async (change: Partial<QuoteRequest> = {}) => {
    const { privacy, ...beside } = await quoteOf(stack, solSend(stack, { ...EXACT_OUT, ...change }))
    return { ...privacy, chance: Number(beside.linkProbability), helps: beside.waitingHelps }
  }
  const tokenOf = async () => {
    const { tokens } = (await send(stack, 'GET', '/transfer/v1/tokens')).body as TokensResponse
    return tokens.find(({ assetId }) => assetId === NATIVE_MINT)
  }
  const alone = { anonymitySet: 1, chance: 1 }
  expect(await privacyOf()).toMatchObject({ ...alone, windowSeconds: 1_800, helps: false })
  // The sender's own deposits don't enlarge the anonymity set.
  await deposit(() => orders[0]!.sender)
  expect(await privacyOf()).toMatchObject(alone)
  // An amount that only one wallet has deposited isn't common.
  expect(await tokenOf()).toMatchObject({ anonymitySet: 1, commonAmount: null })
  await deposit((place) => addressFromBytes(new Uint8Array(32).fill(place + 1)))
  const hidden = await privacyOf()
  expect(hidden.anonymitySet).toBeGreaterThan(1)
  expect(hidden.anonymitySet).toBeLessThanOrEqual(1 + OTHERS)
  expect(hidden).toMatchObject({ helps: true })
  expect(hidden.chance).toBeLessThan(0.2)
  // A transfer with `crowdMissed: 'deliver'` is delivered even without its crowd. So the stated chance is 1 until the
  // crowd exists.
  const crowd = {
    minCrowd: hidden.anonymitySet,
    crowdMissed: 'deliver',
    maxDelaySeconds: 1_800,
  } as const
  expect(await privacyOf(crowd)).toMatchObject({ chance: hidden.chance })
  const larger = { ...crowd, minCrowd: hidden.anonymitySet + 1 }
  expect(await privacyOf(larger)).toMatchObject({ anonymitySet: hidden.anonymitySet, chance: 1 })
  // The status of an order repeats the chance that was stated for the order, even if the anonymity set changes later.
  const { order: made } = await placed(stack, solSend(stack, EXACT_OUT))
  const ofOrder = async () => {
    const { body } = await send(stack, 'GET', `/transfer/v1/status/${made.trackingId}`)
    return (body as StatusResponse).order.linkProbability
  }
  expect(await ofOrder()).toBe(`${hidden.chance}`)
  // In both modes, a quote for another amount suggests the amount of these orders and states its anonymity set.
  for (const mode of ['exact_in', 'exact_out'] as const) {
    const { suggestions } = await asked({ amount: '1200000000', mode })
    const crowds = suggestions.map((one) => [one.amountOut, one.anonymitySet])
    expect(crowds).toEqual([
      ...[
        ['750000000', 1],
        ['1000000000', hidden.anonymitySet],
      ],
      ...[
        ['1500000000', 1],
        ['2000000000', 1],
      ],
    ])
  }
  // Without a delay, the time of the delivery reveals the deposit.
  const fast = await privacyOf({ minDelaySeconds: 0, maxDelaySeconds: 0 })
  expect(fast).toMatchObject({ windowSeconds: 0, anonymitySet: 1 })
  expect(fast.chance).toBeGreaterThan(hidden.chance)
  await assertPaidRecipient()
  await assertOwnRecipient()
  const token = await tokenOf()
  expect(token).toMatchObject({ anonymitySet: hidden.anonymitySet })
  expect(BigInt(token!.commonAmount!)).toBeLessThan(BigInt(orders[0]!.value))
  for (const { value } of orders) {
    await stack.database.query('INSERT INTO shown_settlements VALUES ($1, $2, $3)', [
      ...[NATIVE_MINT, value, `${now + 1n}`],
    ])
  }
  await stack.market.refresh()
  expect(await privacyOf()).toMatchObject({ anonymitySet: 1 })
  expect(await ofOrder()).toBe(`${hidden.chance}`)
})

/**
 * Checks what quotes and statuses state about a recipient that the pool has paid, while other deposits of the amount
 * are waiting.
 */
async function assertPaidRecipient(): Promise<void> {
  const [paid, sender, fresh] = [250, 251, 253].map((byte) =>
    addressFromBytes(new Uint8Array(32).fill(byte)),
  )
  await recordPaid(stack.database, [paid!])
  const request = solSend(stack, { ...EXACT_OUT, recipientAddress: paid!, senderAddress: sender! })
  const again = await quoteOf(stack, request)
  const first = await quoteOf(stack, { ...request, recipientAddress: fresh! })
  expect(first).toMatchObject({ recipientPaidBefore: false, waitingHelps: true })
  expect(first).not.toHaveProperty('byAmount')
  expect(first.privacy.anonymitySet).toBeGreaterThan(1)
  expect(again).toMatchObject({
    ...{ linkProbability: '1', waitingHelps: false, recipientPaidBefore: true },
    privacy: { ...first.privacy, anonymitySet: 1 },
    byAmount: {
      ...{ anonymitySet: first.privacy.anonymitySet, linkProbability: first.linkProbability },
      waitingHelps: true,
    },
    suggestions: first.suggestions,
  })
  const chanceOf = async (change: Partial<QuoteRequest>) => {
    const { order: made } = await placed(stack, { ...request, ...change })
    const { body } = await send(stack, 'GET', `/transfer/v1/status/${made.trackingId}`)
    return (body as StatusResponse).order.linkProbability
  }
  // The amount hides the transfer, but no one knows whether the sender has paid the recipient before.
  expect(await chanceOf({})).toBeUndefined()
  expect(await chanceOf({ minCrowd: 2 })).toBeUndefined()
  // No other deposit of this amount is waiting, so the earlier payment doesn't matter.
  expect(await chanceOf({ amount: '1234567890' })).toBe('1')
  await stack.database.query('ALTER TABLE paid_payees RENAME TO gone', [])
  const unread = { ...request, recipientAddress: addressFromBytes(new Uint8Array(32).fill(252)) }
  expect(await quoteCode(unread)).toBe('UPSTREAM_UNAVAILABLE')
  await stack.database.query('ALTER TABLE gone RENAME TO paid_payees', [])
  expect(await quoteCode(unread)).toBeUndefined()
}

/** A transfer from a wallet to itself names this wallet twice, however many other deposits of the amount are waiting. */
async function assertOwnRecipient(): Promise<void> {
  const [own, other] = [249, 248].map((byte) => addressFromBytes(new Uint8Array(32).fill(byte)))
  const request = solSend(stack, { ...EXACT_OUT, senderAddress: own!, recipientAddress: own! })
  const toOther = await quoteOf(stack, { ...request, recipientAddress: other! })
  expect(toOther.privacy.anonymitySet).toBeGreaterThan(1)
  const { suggestions = [], ...toSelf } = await quoteOf(stack, request)
  expect(toSelf).toMatchObject({ linkProbability: '1', waitingHelps: false })
  expect(toSelf.privacy).toMatchObject({ anonymitySet: 1 })
  expect(new Set(suggestions.map(({ anonymitySet }) => anonymitySet))).toEqual(new Set([1]))
  const { order } = await placed(stack, request)
  const { body } = await send(stack, 'GET', `/transfer/v1/status/${order.trackingId}`)
  expect((body as StatusResponse).order.linkProbability).toBe('1')
}
