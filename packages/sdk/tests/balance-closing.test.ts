import { beforeAll, describe, expect, it } from 'vitest'
import { storedBalance } from '../balance.ts'
import { Crash } from './balance/crashing.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'
import { FEE } from './balance/paying-service.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

const cut = () =>
  Promise.reject(Object.assign(new Crash('cut'), { code: 'CUT', retry: 'unchanged' }))
const payment = async (key: string) => ({ key, to: await newWallet(), amount: `${SENT}` })

describe('closing a balance', () => {
  it('pays the current rest if an earlier, unsigned closing was followed by a payment', async () => {
    const { paying, sender, reopen } = await stage.open(VALUE)
    const before = stage.holds(sender)
    const stopped = await reopen({ service: { ...paying.service, orderPayment: cut } })
    await expect(stopped.close({ kept: 0n })).rejects.toThrow(Crash)
    const balance = await reopen()
    await balance.send(await payment('one'))
    await balance.close()
    const { status, value } = await balance.state()
    expect(status).toBe('closed')
    expect(stage.holds(sender) - before).toBe(VALUE - SENT - 2n * FEE - value)
  })

  it('continues an earlier closing that was ordered', async () => {
    const { paying, sender, reopen } = await stage.open(VALUE)
    const before = stage.holds(sender)
    const orderPayment: typeof paying.service.orderPayment = async (...asked) => {
      await paying.service.orderPayment(...asked)
      return cut()
    }
    const stopped = await reopen({ service: { ...paying.service, orderPayment } })
    await expect(stopped.close()).rejects.toThrow(Crash)
    const balance = await reopen()
    const { payout } = await balance.close()
    expect(stage.holds(sender) - before).toBe(BigInt(payout))
    expect([paying.quotesMade, paying.ordersMade]).toEqual([1, 1])
  })

  it('completes an earlier closing that is signed and can still land', async () => {
    const { paying, sender, reopen } = await stage.open(VALUE)
    const before = stage.holds(sender)
    const end = new AbortController()
    paying.isStuck = true
    const stopped = await reopen({ signal: end.signal })
    const lost = stopped.close({ kept: 7n })
    lost.catch(() => undefined)
    while (paying.ordersMade === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    end.abort(new Crash('cut'))
    await expect(lost).rejects.toThrow(Crash)
    paying.isStuck = false
    const balance = await reopen()
    const closed = await balance.close()
    expect(closed).toMatchObject({ payout: `${VALUE - FEE - 7n}` })
    expect(await balance.close()).toEqual(closed)
    expect(stage.holds(sender) - before).toBe(VALUE - FEE - 7n)
    expect(paying.ordersMade).toBe(1)
  })

  it('completes a signed closing even if `kept` is different now', async () => {
    const { paying, reopen } = await stage.open(VALUE)
    let isLost = true
    const signPayment: typeof paying.service.signPayment = async (...signed) => {
      const answer = await paying.service.signPayment(...signed)
      return isLost
        ? Promise.reject(Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' }))
        : answer
    }
    const balance = await reopen({ service: { ...paying.service, signPayment } })
    await expect(balance.close({ kept: 7n })).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
    isLost = false
    expect(await balance.close({ kept: 0n })).toMatchObject({ payout: `${VALUE - FEE - 7n}` })
    expect(paying.ordersMade).toBe(1)
  })

  it('pays the current rest if an earlier signed closing cannot land any more', async () => {
    const { paying, sender, reopen } = await stage.open(VALUE)
    const before = stage.holds(sender)
    const end = new AbortController()
    paying.isStuck = true
    const stopped = await reopen({ signal: end.signal })
    const lost = stopped.close()
    lost.catch(() => undefined)
    while (paying.ordersMade === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    end.abort(new Crash('cut'))
    await expect(lost).rejects.toThrow(Crash)
    stage.passSignatures()
    paying.isStuck = false
    const balance = await reopen()
    await balance.send(await payment('one'))
    await balance.close({ kept: 0n })
    expect(stage.holds(sender) - before).toBe(VALUE - SENT - 2n * FEE)
    expect((await balance.state()).status).toBe('empty')
  })

  it('keeps the residue of the rest if the service refuses the amount', async () => {
    const { paying, store, sender, reopen } = await stage.open(VALUE)
    const before = stage.holds(sender)
    let isRefused = true
    const quote: typeof paying.service.quote = (...asked) => {
      if (!isRefused) return paying.service.quote(...asked)
      isRefused = false
      const refusal = { code: 'AMOUNT_OUT_OF_RANGE', retry: 'never', min: '1', max: `${VALUE}` }
      return Promise.reject(Object.assign(new Error('refused'), refusal))
    }
    const balance = await reopen({ service: { ...paying.service, quote } })
    await expect(balance.close()).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
    expect([stage.holds(sender), paying.quotesMade]).toEqual([before, 0])
    expect((await storedBalance(store))!.payments).toEqual([])
    // Only the caller may decide that nothing stays.
    await balance.close({ kept: 0n })
    expect(stage.holds(sender) - before).toBe(VALUE - FEE)
  })

  it('pays the rest that a payment by another holder of the secret has left', async () => {
    const { paying, sender, reopen, elsewhere } = await stage.open(VALUE)
    const before = stage.holds(sender)
    const other = await elsewhere()
    let isFirst = true
    const orderPayment: typeof paying.service.orderPayment = async (...asked) => {
      if (isFirst) {
        isFirst = false
        await other.send(await payment('elsewhere'))
        const refusal = { code: 'NOTE_IN_USE', retry: 'new_quote', retryAfterSeconds: 7 }
        throw Object.assign(new Error('in use'), refusal)
      }
      return paying.service.orderPayment(...asked)
    }
    const balance = await reopen({ service: { ...paying.service, orderPayment } })
    await balance.close({ kept: 0n })
    expect(stage.holds(sender) - before).toBe(VALUE - SENT - 2n * FEE)
  })

  it('pays a second time only if there were other payments, or if `kept` is less than the rest', async () => {
    const { sender, store, reopen } = await stage.open(VALUE)
    const before = stage.holds(sender)
    const balance = await reopen()
    const first = await balance.close({ kept: 500_000_000n })
    for (const kept of [undefined, 500_000_000n, 600_000_000n]) {
      expect(await balance.close({ kept })).toEqual(first)
    }
    expect(stage.holds(sender) - before).toBe(500_000_000n - FEE)
    await balance.send(await payment('one'))
    const second = await (await reopen()).close({ kept: 50_000_000n })
    const third = await (await reopen()).close({ kept: 0n })
    expect(await (await reopen()).close()).toEqual(third)
    expect(await (await reopen()).close({ kept: 0n })).toEqual(third)
    expect(stage.holds(sender) - before).toBe(VALUE - SENT - 4n * FEE)
    const paid = (await storedBalance(store))!.payments.map(
      (one) => one.step === 'paid' && one.paid,
    )
    expect(paid).toEqual(expect.arrayContaining([first, second, third]))
    expect(paid).toHaveLength(4)
  })
})
