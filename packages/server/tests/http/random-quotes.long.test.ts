import type { Order, OrderStatusRecord, QuoteRequest, QuoteResponse } from '@sotto/contract'
import { NATIVE_MINT, ownerOf, packOwner } from '@sotto/protocol'
import fc from 'fast-check'
import { utimes, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, orderBody, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

/** The spread of a swap's rate and the service's fee, in basis points, as `startHttpStack` sets them. */
const [SPREAD, SERVICE] = [30n, 20n]
const WHOLE = 10_000n
const OWNER = Buffer.from(packOwner(ownerOf(4_711n))).toString('hex')

const ceilDivide = (dividend: bigint, divisor: bigint) =>
  dividend / divisor + (dividend % divisor === 0n ? 0n : 1n)

/** True for the figures 1, 1.5, 2, 2.5, 3, 4, 5, 6 and 7.5, each times a power of ten, in whole base units. */
const isFigure = (sum: bigint) => /^(1|15|2|25|3|4|5|6|75)0*$/.test(`${sum}`)

interface Asked {
  readonly request: QuoteRequest
  /** Base units of the destination for each base unit of the source, before the spread. */
  readonly rate: { readonly top: bigint; readonly bottom: bigint }
  readonly isTopUp: boolean
  readonly isKnown: boolean
}

const asking = fc.record({
  ofSol: fc.boolean(),
  kind: fc.constantFrom('send', 'send', 'swap', 'top-up'),
  mode: fc.constantFrom('exact_in' as const, 'exact_out' as const, undefined),
  feeBps: fc.constantFrom(0, 1, 33, 100),
  isKnown: fc.boolean(),
  digits: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 999_999 })),
  zeros: fc.integer({ min: 0, max: 9 }),
  top: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  bottom: fc.bigInt({ min: 1n, max: 10n ** 9n }),
})

/** Makes the request, and sets its rate if it is for a swap. */
async function askedOf(
  of: typeof asking extends fc.Arbitrary<infer Of> ? Of : never,
): Promise<Asked> {
  const [sourceAssetId, other] = of.ofSol ? [NATIVE_MINT, stack.usdc] : [stack.usdc, NATIVE_MINT]
  const isSwap = of.kind === 'swap'
  const isTopUp = of.kind === 'top-up'
  const destinationAssetId = isSwap ? other : sourceAssetId
  const { top, bottom } = isSwap ? of : { top: 1n, bottom: 1n }
  if (isSwap) {
    const pair = { source: sourceAssetId, destination: destinationAssetId }
    const rates = [{ ...pair, numerator: `${top}`, denominator: `${bottom}` }]
    const file = stack.settings['SOTTO_PRICES_FILE']!
    await writeFile(file, JSON.stringify({ rates }))
    // The service reads the file again only if its time has changed, and two writes may have the same time.
    changes += 1
    await utimes(file, changes, changes)
  }
  const { mode, feeBps } = of
  const request = solSend(stack, {
    ...{ sourceAssetId, destinationAssetId, amount: `${of.digits}${'0'.repeat(of.zeros)}` },
    ...(mode === undefined || isSwap ? {} : { mode }),
    ...(feeBps === 0 ? {} : { feeBps, feeRecipientAddress: stack.partner.address }),
    ...(of.isKnown ? { recipientAddress: stack.partner.address } : {}),
    ...(isTopUp ? { balanceKey: OWNER, recipientAddress: stack.sender.address } : {}),
  })
  return { request, rate: { top, bottom }, isTopUp, isKnown: of.isKnown }
}

let changes = 0

const quote = (body: QuoteRequest) => send(stack, 'POST', '/transfer/v1/quote', { body })

/** Checks that a refused amount is outside the stated bounds, and that the bounds themselves are accepted. */
async function checkRefusal({ request }: Asked, refused: Awaited<ReturnType<typeof quote>>) {
  if (codeOf(refused) === 'LIQUIDITY_UNAVAILABLE') return
  expect(codeOf(refused)).toBe('AMOUNT_OUT_OF_RANGE')
  const { min, max } = refused.body as { min: string; max: string }
  const asked = BigInt(request.amount)
  expect(asked < BigInt(min) || asked > BigInt(max)).toBe(true)
  for (const amount of [min, max]) {
    expect([amount, codeOf(await quote({ ...request, amount }))]).toEqual([amount, undefined])
  }
}

/** Computes the amounts and fees independently, by the formulas of docs/contract.md. */
function checkAmounts({ request, rate, isTopUp, isKnown }: Asked, answer: QuoteResponse): void {
  const { quote: quoted, senderMustHold } = answer
  const { serviceFee, partnerFee, networkFee } = quoted.feeBreakdown
  const [paid, out] = [BigInt(quoted.amountIn), BigInt(quoted.amountOut)]
  const isIn = (request.mode ?? 'exact_in') === 'exact_in'
  expect(isIn ? quoted.amountIn : quoted.amountOut).toBe(request.amount)
  expect(BigInt(quoted.protocolFee)).toBe(BigInt(serviceFee) + BigInt(partnerFee))
  expect(BigInt(quoted.fee)).toBe(BigInt(quoted.protocolFee) + BigInt(networkFee))
  expect(quoted.networkFee).toBe(networkFee)
  const share = ceilDivide(paid * BigInt(request.feeBps ?? 0), WHOLE)
  expect(BigInt(partnerFee)).toBe(share)
  expect(senderMustHold.source).toBe(quoted.amountIn)
  const isSol = request.destinationAssetId === NATIVE_MINT
  const network = isTopUp ? 0n : isSol ? 100_000n : isKnown ? 20_000n : 350_000n
  const isSwap = request.sourceAssetId !== request.destinationAssetId
  const [top, bottom] = isSwap
    ? [rate.top * (WHOLE - SPREAD), rate.bottom * WHOLE]
    : [rate.top, rate.bottom]
  expect(BigInt(networkFee)).toBe(ceilDivide(network * bottom, top))
  const worth = ((paid - share) * top) / bottom
  const payout = worth - ceilDivide(worth * (isTopUp ? 0n : SERVICE), WHOLE) - network
  if (!isSwap) expect(paid).toBe(out + BigInt(quoted.fee))
  if (out === payout) return
  // Only a swap may be rounded, down to a figure, by at most a hundred-thousandth.
  expect([isSwap, isFigure(out), out < payout]).toEqual([true, true, true])
  expect((payout - out) * 100_000n).toBeLessThanOrEqual(payout)
}

/** Checks that each suggested amount delivers its figure. */
async function checkSuggestions({ request }: Asked, answer: QuoteResponse): Promise<void> {
  const { suggestions = [], privacy } = answer
  expect(privacy.suggestedAmounts).toEqual(suggestions.map(({ amount }) => amount))
  for (const { amount, amountOut } of suggestions) {
    expect([amountOut, isFigure(BigInt(amountOut))]).toEqual([amountOut, true])
    const next = await quote({ ...request, amount })
    expect([codeOf(next), next.body['quote']]).toMatchObject([undefined, { amountOut }])
  }
}

/** Orders the quote, and compares the order and its status with the quote. */
async function checkOrder({ request, isTopUp }: Asked, { quote: quoted }: QuoteResponse) {
  const body = { ...orderBody(quoted, request), ...(isTopUp ? { balanceKey: OWNER } : {}) }
  const answer = await order(stack, body)
  // Earlier orders may have reserved the inventory.
  if (['LIQUIDITY_UNAVAILABLE', 'RATE_LIMITED'].includes(codeOf(answer) ?? '')) return
  const made = answer.body['order'] as Order
  const amounts = { amountIn: quoted.amountIn, amountOut: quoted.amountOut }
  expect(made).toMatchObject({ ...amounts, eta: quoted.duration })
  const { expiration, payableUntil, deliverBy, eta } = made
  const { body: shown } = await send(stack, 'GET', `/transfer/v1/status/${made.trackingId}`)
  const status = shown['order'] as OrderStatusRecord
  expect(status).toMatchObject({ ...amounts, expiration, payableUntil, deliverBy, eta })
}

it('random quotes and their orders have the documented amounts, bounds, fees and suggestions', async () => {
  let accepted = 0
  const property = fc.asyncProperty(asking, async (of) => {
    const asked = await askedOf(of)
    const answer = await quote(asked.request)
    if (answer.status !== 200) return checkRefusal(asked, answer)
    const quoted = answer.body as QuoteResponse
    checkAmounts(asked, quoted)
    await checkSuggestions(asked, quoted)
    accepted += 1
    return accepted % 8 === 0 ? checkOrder(asked, quoted) : undefined
  })
  await fc.assert(property, { numRuns: 300 })
  expect(accepted).toBeGreaterThan(50)
})
