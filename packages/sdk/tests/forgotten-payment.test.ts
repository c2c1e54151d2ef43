import { beforeAll, describe, expect, it } from 'vitest'
import { Balance, storedBalance, type BalanceService } from '../balance.ts'
import { Crash } from './balance/crashing.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'
import { FEE } from './balance/paying-service.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

const refused = (code: string) => Object.assign(new Error(code), { code, retry: 'never' })

/** A service whose database was restored to a time before this order. */
const forgetting = (service: BalanceService): BalanceService => ({
  ...service,
  signPayment: () => Promise.reject(refused('ORDER_NOT_FOUND')),
})

/** A balance whose owner's process ended after it had signed a payment. The payment landed only if `isLanded`. */
async function signedPayment(isLanded: boolean) {
  const opened = await stage.open(VALUE)
  const { paying, store, reopen } = opened
  const { service } = paying
  const stop = new AbortController()
  const signPayment: BalanceService['signPayment'] = async (...signed) => {
    if (isLanded) await service.signPayment(...signed)
    stop.abort(new Crash('cut'))
    throw new Crash('cut')
  }
  const cut = await reopen({ service: { ...service, signPayment }, signal: stop.signal })
  const first = { key: 'first', to: await newWallet(), amount: `${SENT}` }
  await expect(cut.send(first)).rejects.toThrow(Crash)
  const [payment] = (await storedBalance(store))!.payments
  if (payment?.step !== 'signed') throw new Error('the payment is not signed')
  return { ...opened, first, until: payment.validUntil, trackingId: payment.trackingId }
}

describe('a signed payment that the service has forgotten', () => {
  it('blocks every payment until a stated time, but the balance can be read', async () => {
    const { paying, store, reopen, first, until } = await signedPayment(false)
    const balance = await reopen({ service: forgetting(paying.service) })
    expect(await balance.state()).toMatchObject({ status: 'open', value: VALUE })
    const waits = {
      ...{ name: 'BalanceError', code: 'PAYMENT_MAY_LAND', until },
      message: expect.stringContaining(until) as string,
    }
    const other = { to: await newWallet(), amount: '1000000' }
    await expect(balance.send({ key: 'other', ...other })).rejects.toMatchObject(waits)
    await expect(balance.send(first)).rejects.toMatchObject(waits)
    await expect(balance.sendAll({ id: 'list', lines: [other] })).rejects.toMatchObject(waits)
    const several = Balance.sendAllFrom([balance], { id: 'list', lines: [other] })
    await expect(several).rejects.toMatchObject(waits)
    await expect(balance.close()).rejects.toMatchObject(waits)
    await expect(balance.resume()).rejects.toMatchObject(waits)
    expect((await storedBalance(store))!.payments).toMatchObject([{ key: 'first', step: 'signed' }])
    expect(paying.ordersMade).toBe(1)
  })

  it('is dropped and paid again once the chain shows that it cannot land any more', async () => {
    const { paying, reopen, first, trackingId } = await signedPayment(false)
    const { signPayment } = paying.service
    const service: BalanceService = {
      ...paying.service,
      signPayment: (id, ...signed) =>
        id === trackingId ? Promise.reject(refused('ORDER_NOT_FOUND')) : signPayment(id, ...signed),
    }
    const balance = await reopen({ service })
    await expect(balance.send(first)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
    stage.passSignatures()
    await balance.send(first)
    await balance.send(first)
    expect(stage.holds(first.to)).toBe(SENT)
    expect((await balance.state()).value).toBe(VALUE - SENT - FEE)
  })

  it('is complete if the chain shows it', async () => {
    const { paying, reopen, first } = await signedPayment(true)
    const balance = await reopen({ service: forgetting(paying.service) })
    expect((await balance.state()).paid.get('first')).toMatchObject({ payout: `${SENT}` })
    await balance.send(first)
    expect(stage.holds(first.to)).toBe(SENT)
  })

  it('is not signed again in the same run', async () => {
    const { paying, store, reopen } = await stage.open(VALUE)
    const balance = await reopen({ service: forgetting(paying.service) })
    const payment = { key: 'first', to: await newWallet(), amount: `${SENT}` }
    for (let time = 0; time < 2; time += 1) {
      await expect(balance.send(payment)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
    }
    expect(paying.ordersMade).toBe(1)
    expect((await storedBalance(store))!.payments).toMatchObject([{ step: 'signed' }])
  })

  it.each(['SCREENING_REFUSED', 'UNAUTHORIZED', 'ORDER_EXPIRED'])(
    'blocks other payments if the service answers %s, because a lying service can still make the signed payment',
    async (code) => {
      const { paying, store, reopen, first, until } = await signedPayment(false)
      const signPayment = () => Promise.reject(refused(code))
      const balance = await reopen({ service: { ...paying.service, signPayment } })
      const other = { key: 'other', to: first.to, amount: first.amount }
      for (const payment of [first, other]) {
        await expect(balance.send(payment)).rejects.toMatchObject({
          ...{ code: 'PAYMENT_MAY_LAND', until },
          message: expect.stringContaining(code) as string,
        })
      }
      expect((await storedBalance(store))!.payments).toMatchObject([{ step: 'signed' }])
    },
  )

  it('is complete if the service made it and then refused the signature', async () => {
    const { paying, reopen } = await stage.open(VALUE)
    const { service } = paying
    const signPayment: BalanceService['signPayment'] = async (...signed) => {
      await service.signPayment(...signed)
      throw refused('SCREENING_REFUSED')
    }
    const balance = await reopen({ service: { ...service, signPayment } })
    const to = await newWallet()
    const payment = { key: 'first', to, amount: `${SENT}` }
    await expect(balance.send(payment)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
    await balance.send(payment)
    expect(stage.holds(to)).toBe(SENT)
    expect((await balance.state()).paid.get('first')).toMatchObject({ payout: `${SENT}` })
  })
})
