import { NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalPartner, type LocalPartner } from './local-partner.ts'
import { TEST_RECIPIENTS } from './test-recipients.ts'

let partner: LocalPartner
beforeAll(async () => {
  partner = await openLocalPartner()
})
afterAll(() => partner?.close())

describe('in test mode, a special recipient forces the outcome', () => {
  it('"slow": the delivery is minutes away', async () => {
    const { trackingId } = await partner.pay(TEST_RECIPIENTS.slow)
    const { eta } = await partner.follow(trackingId, 'deposited')
    expect(eta).toBeGreaterThan(200)
  })

  it('"price_moved": the swap cannot be refreshed, but another swap can', async () => {
    const { usdc } = partner.stack.setup
    const { trackingId } = await partner.order(TEST_RECIPIENTS.price_moved, usdc)
    await expect(partner.client.refresh(trackingId)).rejects.toMatchObject({ code: 'PRICE_MOVED' })
    const other = await partner.order(await partner.newWallet(), usdc)
    expect((await partner.client.refresh(other.trackingId)).trackingId).toBe(other.trackingId)
  })

  it('"no_liquidity": there is no quote for now', async () => {
    await expect(partner.order(TEST_RECIPIENTS.no_liquidity)).rejects.toMatchObject({
      code: 'LIQUIDITY_UNAVAILABLE',
      retry: 'unchanged',
    })
  })

  it('"expired": an unpaid order ends within seconds', async () => {
    const { trackingId } = await partner.order(TEST_RECIPIENTS.expired)
    await partner.advance(10n)
    expect(await partner.follow(trackingId, 'expired')).toMatchObject({ final: true })
    await expect(partner.client.refresh(trackingId)).rejects.toMatchObject({
      code: 'ORDER_EXPIRED',
    })
  })

  it('"expired": the SDK signs no send, because no other service shortens the time of a send', async () => {
    await expect(partner.pay(TEST_RECIPIENTS.expired)).rejects.toMatchObject({
      name: 'OrderRefusedError',
      refusals: expect.arrayContaining([expect.objectContaining({ code: 'valid_until' })]),
    })
  })

  it('"refunded": the recipient is never paid, and the sender gets the money back', async () => {
    const { trackingId } = await partner.pay(TEST_RECIPIENTS.refunded)
    // Once the delivery has failed, only the refund remains.
    await partner.follow(trackingId, ({ eta }) => eta > 1_000)
    await partner.advance(7_800n)
    const order = await partner.follow(trackingId, 'refunded')
    expect(order).toMatchObject({ final: true, delivery: null })
    expect(order.refund).toMatchObject({ reason: 'recipient_not_payable' })
    expect(await partner.chain.balance(TEST_RECIPIENTS.refunded, NATIVE_MINT)).toBe(0n)
  })
})
