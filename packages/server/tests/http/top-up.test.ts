import type { Order, QuoteRequest } from '@sotto/contract'
import {
  ceilToGrid,
  decodeTicket,
  FIELD_MODULUS,
  fieldToBytes,
  MAX_LIFE_SECONDS,
  NATIVE_MINT,
  ownerOf,
  packOwner,
  type Point,
} from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hourOfEpoch, isTopUpEpoch } from '../../src/domain/epoch.ts'
import { decodeTerms } from '../../src/domain/order-secrets.ts'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, quoteOf, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const keyOf = (owner: Point) => Buffer.from(packOwner(owner)).toString('hex')
const owner = ownerOf(4_711n)
const balanceKey = keyOf(owner)

function topUp(change: Partial<QuoteRequest> = {}): QuoteRequest {
  const own = { recipientAddress: stack.sender.address, balanceKey }
  return solSend(stack, { ...own, ...change })
}

/** The body of an order, which repeats the quote's request. */
async function bodyOf(request: QuoteRequest) {
  const { quote } = await quoteOf(stack, request)
  const { amount: _a, sourceAssetId: _s, destinationAssetId: _d, mode: _m, ...repeated } = request
  return { quote, ...repeated }
}

async function ordered(request: QuoteRequest): Promise<Order> {
  const answer = await order(stack, await bodyOf(request))
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body['order'] as Order
}

const secondsOf = (iso: string) => BigInt(Date.parse(iso) / 1_000)

describe('a top-up', () => {
  it('costs only the share of the partner', async () => {
    const share = { feeBps: 50, feeRecipientAddress: stack.partner.address }
    const { quote } = await quoteOf(stack, topUp(share))
    expect(quote).toMatchObject({
      ...{ amountIn: '1000000000', amountOut: '995000000', fee: '5000000', networkFee: '0' },
      feeBreakdown: { serviceFee: '0', partnerFee: '5000000', networkFee: '0' },
    })
    const exactOut = await quoteOf(stack, topUp({ ...share, mode: 'exact_out' }))
    expect(exactOut.quote).toMatchObject({ amountOut: '1000000000' })
  })

  it('has a ticket that contains the owner but not the owner’s secret', async () => {
    const made = await ordered(topUp())
    const { note, secret } = decodeTicket(made.recovery)
    expect(secret).toBeUndefined()
    expect(note).toMatchObject({
      claim: { kind: 'balance', owner },
      ...{ value: 1_000_000_000n, sender: stack.sender.address, mint: NATIVE_MINT },
    })
    expect(made.amountOut).toBe('1000000000')
    expect(note.expiry).toBe(secondsOf(made.deliverBy))
    const lifeSeconds = note.expiry - secondsOf(made.expiration)
    expect(lifeSeconds).toBe(2_592_000n)
    expect(lifeSeconds).toBeLessThan(MAX_LIFE_SECONDS)
  })

  it('ends on the time grid after the requested lifetime', async () => {
    const made = await ordered(topUp({ balanceSeconds: 86_401 }))
    const deadline = secondsOf(made.expiration)
    expect(secondsOf(made.deliverBy)).toBe(ceilToGrid(deadline + 86_401n))
  })

  it('stores its owner only in the sealed terms', async () => {
    const made = await ordered(topUp({ autoReturn: false }))
    const id = decodeTrackingId(made.trackingId)!
    const [row] = await stack.database.query<{ epoch: string; sealed_terms: Uint8Array }>(
      'SELECT epoch, sealed_terms FROM orders WHERE id = $1',
      [id],
    )
    const secrets = await stack.secrets.read(Number.parseInt(row!.epoch, 10))
    const terms = decodeTerms(secrets!.open(id, 'terms', new Uint8Array(row!.sealed_terms)))
    expect(terms).toMatchObject({ owner: balanceKey, isUnkept: true })
    const rows = await stack.database.query('SELECT * FROM orders WHERE id = $1', [id])
    expect(JSON.stringify(rows)).not.toContain(balanceKey)
  })

  it('is sealed with another key than the transfers of its hour', async () => {
    const ids = []
    for (const request of [topUp(), solSend(stack)]) {
      ids.push(decodeTrackingId((await ordered(request)).trackingId))
    }
    const rows = await stack.database.query<{ epoch: number; payload: Uint8Array }>(
      'SELECT epoch::integer AS epoch, payload FROM orders WHERE id = ANY ($1) ORDER BY epoch DESC',
      [ids],
    )
    const [made, transfer] = rows
    const hours = rows.map(({ payload }) => Buffer.from(payload).readUInt32LE())
    expect([isTopUpEpoch(made!.epoch), isTopUpEpoch(transfer!.epoch)]).toEqual([true, false])
    expect(hours).toEqual([hourOfEpoch(made!.epoch), transfer!.epoch])
  })

  it('requires no action of its sender while its balance is open', async () => {
    const made = await ordered(topUp())
    await stack.database.query(
      `UPDATE orders SET status = 'deposited', deposit_at = 1, leaf_index = 0 WHERE id = $1`,
      [decodeTrackingId(made.trackingId)],
    )
    const { body } = await send(stack, 'GET', `/transfer/v1/status/${made.trackingId}`)
    expect(body['order']).toMatchObject({
      ...{ status: 'deposited', final: false, nextAction: 'none', eta: 0 },
      ...{ delivery: null, refund: null },
    })
  })

  it('has the same ticket after a refresh', async () => {
    const made = await ordered(topUp())
    const path = `/transfer/v1/order/${made.trackingId}/refresh`
    const refreshed = await send(stack, 'POST', path, { body: {} })
    expect((refreshed.body['order'] as Order).recovery).toBe(made.recovery)
  })
})

describe('a request for a top-up', () => {
  const point = (x: bigint, y: bigint) => keyOf({ x, y })
  const offCurve = Buffer.from(fieldToBytes(2n).reverse()).toString('hex')
  it.each([
    ['its key is not a point on the curve', { balanceKey: offCurve }, 'balanceKey'],
    ['its key is the identity', { balanceKey: point(0n, 1n) }, 'balanceKey'],
    ['its key has a small order', { balanceKey: point(0n, FIELD_MODULUS - 1n) }, 'balanceKey'],
    ['its key is written in capitals', { balanceKey: 'AB'.repeat(32) }, 'balanceKey'],
    [
      'its recipient is not its sender',
      { recipientAddress: makeWallet().address },
      'recipientAddress',
    ],
    ['its life is shorter than a day', { balanceSeconds: 86_399 }, 'balanceSeconds'],
    ['its life is longer than 30 days', { balanceSeconds: 2_592_001 }, 'balanceSeconds'],
    ['it has a delay', { maxDelaySeconds: 0 }, 'maxDelaySeconds'],
    ['it has autoReturn but no key', { balanceKey: undefined, autoReturn: true }, 'autoReturn'],
  ] as const)('is refused if %s', async (_name, change, param) => {
    const answer = await send(stack, 'POST', '/transfer/v1/quote', { body: topUp(change) })
    expect(codeOf(answer)).toBe('INVALID_REQUEST')
    expect(answer.text).toContain(`"${param}"`)
  })

  it('is refused if it exchanges one asset for another', async () => {
    const body = topUp({ destinationAssetId: stack.usdc })
    const answer = await send(stack, 'POST', '/transfer/v1/quote', { body })
    expect(codeOf(answer)).toBe('INVALID_REQUEST')
    expect(answer.text).toContain('"destinationAssetId"')
  })

  it.each([
    ['another key', { balanceKey: keyOf(ownerOf(4_712n)) }],
    ['no key', { balanceKey: undefined, balanceSeconds: undefined, autoReturn: undefined }],
    ['another life', { balanceSeconds: 86_400 }],
    ['another value of autoReturn', { autoReturn: false }],
  ])('is refused if its order has %s, unlike its quote', async (_name, change) => {
    const body = await bodyOf(topUp({ balanceSeconds: 172_800 }))
    expect(codeOf(await order(stack, { ...body, ...change }))).toBe('QUOTE_MISMATCH')
  })

  it('is refused if the quote was made for a transfer', async () => {
    const body = await bodyOf(topUp({ balanceKey: undefined }))
    expect(codeOf(await order(stack, { ...body, balanceKey }))).toBe('QUOTE_MISMATCH')
  })
})
