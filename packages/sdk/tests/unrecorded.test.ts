import { beforeAll, expect, it } from 'vitest'
import {
  Balance,
  isLikeUnrecorded,
  memoryBalance,
  storedBalance,
  type BalanceService,
} from '../balance.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

it('lists the payments that its store has no record of, until they are forgotten', async () => {
  const { store, reopen, elsewhere } = await stage.open(VALUE)
  const payment = { to: await newWallet(), amount: `${SENT}` }
  const { signature } = await (await elsewhere()).send({ key: 'other', ...payment })
  const shown = { to: payment.to, payout: payment.amount, signature }
  const restored = memoryBalance()
  await elsewhere({ store: restored })
  expect((await storedBalance(restored))!.unrecorded).toEqual([shown])

  const balance = await reopen()
  await balance.state()
  expect((await storedBalance(store))!.unrecorded).toEqual([shown])
  await balance.forgetUnrecorded({ ...payment, amount: '1' })
  expect((await storedBalance(store))!.unrecorded).toEqual([shown])
  await balance.forgetUnrecorded(payment)
  await balance.send({ key: 'own', ...payment })
  expect((await storedBalance(store))!.unrecorded).toEqual([])
})

it('refuses a payment like one that another copy of the store makes meanwhile', async () => {
  const { reopen, elsewhere } = await stage.open(VALUE)
  const payment = { to: await newWallet(), amount: `${SENT}` }
  const balance = await reopen()
  await balance.state()
  await (await elsewhere()).send({ key: 'other', ...payment })

  const uncertain = {
    ...{ name: 'BalanceError', code: 'PAYMENT_UNCERTAIN' },
    message: expect.stringContaining('call forgetUnrecorded') as string,
  }
  const lines = [payment]
  const second = await (await stage.open(VALUE)).reopen()
  for (const open of [async () => balance, reopen]) {
    const opened = await open()
    await expect(opened.send({ key: 'own', ...payment })).rejects.toMatchObject(uncertain)
    await expect(opened.send({ key: 'new', ...payment })).rejects.toMatchObject(uncertain)
    await expect(opened.sendAll({ id: 'own', lines })).rejects.toMatchObject(uncertain)
    await expect(Balance.sendAllFrom([second, opened], { id: 'all', lines })).rejects.toMatchObject(
      uncertain,
    )
  }
  expect(stage.holds(payment.to)).toBe(SENT)

  const other = { to: await newWallet(), amount: `${SENT}` }
  const latest = await reopen()
  await latest.send({ key: 'unlike', ...other })
  await latest.forgetUnrecorded(payment)
  await latest.send({ key: 'own', ...payment })
  await latest.close()
  expect([stage.holds(payment.to), stage.holds(other.to)]).toEqual([2n * SENT, SENT])
})

it('ignores only the payments that a person has checked, and forgets them only when it signs', async () => {
  const { store, reopen, elsewhere } = await stage.open(VALUE)
  const payment = { to: await newWallet(), amount: `${SENT}` }
  const other = await elsewhere()
  const one = (await other.send({ key: 'one', ...payment })).signature
  const two = (await other.send({ key: 'two', ...payment })).signature
  const signatures = async () =>
    (await storedBalance(store))!.unrecorded.map(({ signature }) => signature)
  const own = { key: 'own', ...payment }
  const uncertain = {
    ...{ name: 'BalanceError', code: 'PAYMENT_UNCERTAIN' },
    message: expect.stringContaining(`${two}`) as string,
  }

  const balance = await reopen()
  await expect(balance.send({ ...own, except: [one] })).rejects.toMatchObject(uncertain)
  const declining = await reopen({ approve: () => false })
  const declined = declining.send({ ...own, except: [one, two] })
  await expect(declined).rejects.toMatchObject({ code: 'QUOTE_DECLINED' })
  expect(await signatures()).toEqual([one, two])
  const latest = await reopen()
  await expect(latest.send(own)).rejects.toMatchObject({ code: 'PAYMENT_UNCERTAIN' })
  await latest.forgetUnrecorded(payment, [one])
  expect(await signatures()).toEqual([two])
  expect(stage.holds(payment.to)).toBe(2n * SENT)

  await latest.send({ ...own, except: [two] })
  expect(await signatures()).toEqual([])
  expect(stage.holds(payment.to)).toBe(3n * SENT)
})

it('lets a checked signature stand for only one payment, even if the node shows two under it', async () => {
  const { store, reopen, elsewhere } = await stage.open(VALUE)
  const payment = { to: await newWallet(), amount: `${SENT}` }
  const other = await elsewhere()
  const one = (await other.send({ key: 'one', ...payment })).signature!
  const two = (await other.send({ key: 'two', ...payment })).signature!
  await (await reopen()).state()
  const text = (await store.read())!
  await store.write(text.replaceAll(two, one), text)
  const signatures = async () =>
    (await storedBalance(store))!.unrecorded.map(({ signature }) => signature)
  expect(await signatures()).toEqual([one, one])

  const balance = await reopen()
  const own = { key: 'own', ...payment }
  const uncertain = { code: 'PAYMENT_UNCERTAIN' }
  await expect(balance.send({ ...own, except: [one] })).rejects.toMatchObject(uncertain)
  await balance.forgetUnrecorded(payment, [one])
  expect(await signatures()).toEqual([one])
  expect(stage.holds(payment.to)).toBe(2n * SENT)
  await balance.send({ ...own, except: [one] })
  expect([await signatures(), stage.holds(payment.to)]).toEqual([[], 3n * SENT])
})

it('does not say that a signed payment was not made if the chain shows it with another fee', async () => {
  const { reopen, elsewhere, paying } = await stage.open(VALUE)
  const lost: BalanceService['signPayment'] = () =>
    Promise.reject(Object.assign(new Error('lost'), { code: 'LOST', retry: 'never' }))
  const payment = { key: 'own', to: await newWallet(), amount: `${SENT}` }
  const stopped = await reopen({ service: { ...paying.service, signPayment: lost } })
  await expect(stopped.send(payment)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })

  const { service } = (await stage.open(VALUE)).paying
  const quote: BalanceService['quote'] = async (...asked) => {
    const { quote: dear, ...answer } = await service.quote(...asked)
    const amountIn = `${BigInt(dear.amountIn) - 1n}`
    return { ...answer, quote: { ...dear, amountIn, fee: `${BigInt(dear.fee) - 1n}` } }
  }
  const { signature } = await (await elsewhere({ service: { ...service, quote } })).send(payment)
  // The first process finds that payment when it opens the balance, the second one when it pays.
  for (let time = 0; time < 2; time += 1) {
    const sent = reopen().then((balance) => balance.send(payment))
    await expect(sent).rejects.toMatchObject({
      ...{ name: 'BalanceError', code: 'PAYMENT_UNCERTAIN' },
      message: expect.stringContaining(`${signature}`) as string,
    })
  }
  expect(stage.holds(payment.to)).toBe(SENT)
})

it.each([
  ['equal', { amount: '100' }, true],
  ['larger', { amount: '101' }, false],
  ['larger, fee included', { amount: '101', mode: 'exact_in' }, true],
  ['smaller, fee included', { amount: '99', mode: 'exact_in' }, false],
] as const)('compares an unrecorded payment with a request that is %s', (_name, wish, isLike) => {
  const unrecorded = { to: 'A', payout: '100', signature: null }
  expect(isLikeUnrecorded(unrecorded, { to: 'A', ...wish })).toBe(isLike)
  expect(isLikeUnrecorded(unrecorded, { to: 'B', ...wish })).toBe(false)
})
