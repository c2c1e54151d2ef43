import { beforeAll, describe, expect, it } from 'vitest'
import { storedBalance, type BalanceService } from '../balance.ts'
import { Crash } from './balance/crashing.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'
import { FEE } from './balance/paying-service.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

/** A balance whose owner never got the service's answer to an order. The order exists, and nothing was signed. */
async function orderedPayment() {
  const opened = await stage.open(VALUE)
  const { paying, store, reopen } = opened
  const { service } = paying
  const orderPayment: BalanceService['orderPayment'] = async (...ordered) => {
    await service.orderPayment(...ordered)
    throw new Crash('cut')
  }
  const cut = await reopen({ service: { ...service, orderPayment } })
  const payment = { key: 'first', to: await newWallet(), amount: `${SENT}` }
  await expect(cut.send(payment)).rejects.toThrow(Crash)
  expect((await storedBalance(store))!.payments).toMatchObject([{ step: 'quoted' }])
  expect(paying.ordersMade).toBe(1)
  return { ...opened, payment }
}

describe('an order whose answer was lost', () => {
  it('is paid once, with a new quote, if its last valid second has passed', async () => {
    const { paying, reopen, payment } = await orderedPayment()
    stage.passSignatures()
    let approvals = 0
    const balance = await reopen({ approve: () => (approvals += 1) > 0 })
    await balance.send(payment)
    await balance.send(payment)
    expect(stage.holds(payment.to)).toBe(SENT)
    expect((await balance.state()).value).toBe(VALUE - SENT - FEE)
    // The first approval is for the saved quote, the second for the new one.
    expect([approvals, paying.ordersMade]).toEqual([2, 2])
  })

  it('is signed unchanged while it is valid', async () => {
    const { paying, reopen, payment } = await orderedPayment()
    const approved: unknown[] = []
    const balance = await reopen({ approve: (quoted) => approved.push(quoted) > 0 })
    await balance.send(payment)
    expect(stage.holds(payment.to)).toBe(SENT)
    expect(paying.ordersMade).toBe(1)
    expect(approved).toMatchObject([{ quote: { fee: `${FEE}` } }])
  })

  it('is not signed if its quote is not accepted again', async () => {
    const { paying, store, reopen, payment } = await orderedPayment()
    const stricter = await reopen({ approve: ({ quote }) => BigInt(quote.fee) < FEE })
    await expect(stricter.send(payment)).rejects.toMatchObject({ code: 'QUOTE_DECLINED' })
    expect((await storedBalance(store))!.payments).toEqual([])
    expect(stage.holds(payment.to)).toBe(0n)
    // The service frees the note once the order, which was never signed, has ended.
    stage.passSignatures()
    await (await reopen()).send(payment)
    expect(stage.holds(payment.to)).toBe(SENT)
    expect(paying.ordersMade).toBe(2)
  })

  it('ends with an error if the service returns expired orders for new quotes too', async () => {
    const { paying, reopen, payment } = await orderedPayment()
    stage.passSignatures()
    paying.change = (made) => {
      const validUntil = new Date(Date.parse(made.payment.validUntil) - 1_800_000).toISOString()
      return { ...made, payment: { ...made.payment, validUntil } }
    }
    const balance = await reopen()
    await expect(balance.send(payment)).rejects.toMatchObject({ name: 'PaymentRefusedError' })
    expect(paying.ordersMade).toBe(2)
    expect(stage.holds(payment.to)).toBe(0n)
  })
})
