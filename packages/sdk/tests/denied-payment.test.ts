import { beforeAll, describe, expect, it } from 'vitest'
import {
  memoryBalance,
  readBalance,
  storedBalance,
  type Balance,
  type BalanceService,
} from '../balance.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n
const KEPT = 90_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

/** A service that says that it doesn't know the first signed payment, and that makes this payment later. */
function denying(service: BalanceService) {
  let held: Parameters<BalanceService['signPayment']> | undefined
  const lying: BalanceService = {
    ...service,
    signPayment: (...given) => {
      held ??= given
      if (held[0] !== given[0]) return service.signPayment(...given)
      return Promise.reject(
        Object.assign(new Error('x'), { code: 'ORDER_NOT_FOUND', retry: 'never' }),
      )
    },
  }
  return { lying, land: () => service.signPayment(...held!) }
}

/** A balance with a payment that the service denied and then made. */
async function deniedPayment() {
  const { paying, store, reopen } = await stage.open(VALUE)
  const { lying, land } = denying(paying.service)
  const balance = await reopen({ service: lying })
  const payment = { key: 'first', to: await newWallet(), amount: `${SENT}` }
  await expect(balance.send(payment)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
  await land()
  expect(stage.holds(payment.to)).toBe(SENT)
  return { balance, store, payment }
}

type Denied = Awaited<ReturnType<typeof deniedPayment>>
const first: readonly [string, (denied: Denied) => Promise<unknown>][] = [
  ['state', ({ balance }) => balance.state()],
  ['send', ({ balance, payment }) => balance.send(payment)],
  ['resume', ({ balance }) => balance.resume()],
  ['close', ({ balance }) => balance.close()],
]

describe('a signed payment that the service denied and then made', () => {
  it.each(first)('is recorded as paid with its receipt if %s runs first', async (name, run) => {
    const denied = await deniedPayment()
    const { balance, store, payment } = denied
    await run(denied)
    const { paid } = await balance.state()
    const receipt = { payout: `${SENT}`, signature: expect.any(String) as string }
    expect(paid.get('first')).toMatchObject(receipt)
    stage.passSignatures()
    if (name !== 'close') expect(await balance.send(payment)).toEqual(paid.get('first'))
    await balance.resume()
    const { payments, unrecorded, lapsed } = (await storedBalance(store))!
    expect(payments.find(({ id }) => id === 'one:first')).toMatchObject({ step: 'paid' })
    expect({ unrecorded, lapsed }).toEqual({ unrecorded: [], lapsed: [] })
    expect(stage.holds(payment.to)).toBe(SENT)
  })

  it('is shown as paid to a process that only reads', async () => {
    const { store } = await deniedPayment()
    const { rpc } = stage.node
    const { program: programId } = stage.fixture.chain
    const { paid } = await readBalance({ store, rpc, programId })
    expect(paid.get('first')).toMatchObject({ payout: `${SENT}` })
  })

  it('closes the balance only once, although the state was read in between', async () => {
    const { paying, sender, reopen } = await stage.open(VALUE)
    const { lying, land } = denying(paying.service)
    const balance = await reopen({ service: lying })
    const closing = balance.close({ kept: KEPT })
    await expect(closing).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
    await land()
    const held = stage.holds(sender)
    expect(await balance.state()).toMatchObject({ status: 'closed', value: KEPT })
    stage.passSignatures()
    const { trackingId } = await balance.close()
    expect(await balance.close()).toMatchObject({ trackingId })
    expect(stage.holds(sender)).toBe(held)
  })
})

it('reading the state leaves it to the next call to report that another payment spent the note', async () => {
  const { paying, reopen, elsewhere } = await stage.open(VALUE)
  const balance: Balance = await reopen({ service: denying(paying.service).lying })
  const payment = { key: 'first', to: await newWallet(), amount: `${SENT}` }
  await expect(balance.send(payment)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
  const { service } = (await stage.open(VALUE)).paying
  const other = { key: 'other', to: await newWallet(), amount: `${2n * SENT}` }
  await (await elsewhere({ service })).send(other)
  const { value, paid } = await balance.state()
  expect([value < VALUE - SENT, paid.size]).toEqual([true, 0])
  await expect(balance.send(payment)).rejects.toMatchObject({ code: 'SPENT_ELSEWHERE' })
  expect(stage.holds(payment.to)).toBe(0n)
})

/**
 * A store as earlier versions of the SDK left it, if the state was read after a denied payment was made: the payment is
 * still signed, but the note is the one that this payment, or a payment of `made`, has left.
 */
async function movedStore(made: 'the signed payment' | 'another payment') {
  const { paying, store, reopen, elsewhere } = await stage.open(VALUE)
  const { lying, land } = denying(paying.service)
  const balance = await reopen({ service: lying })
  const payment = { key: 'first', to: await newWallet(), amount: `${SENT}` }
  await expect(balance.send(payment)).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
  if (made === 'the signed payment') await land()
  else {
    const to = await newWallet()
    const other = (await stage.open(VALUE)).paying.service
    await (await elsewhere({ service: other })).send({ key: 'other', to, amount: `${2n * SENT}` })
  }
  const restored = memoryBalance()
  await elsewhere({ store: restored })
  const [signed, moved] = [await store.read(), await restored.read()]
  const { ticket, unrecorded } = JSON.parse(moved!) as Record<string, unknown>
  const state = { ...(JSON.parse(signed!) as object), ticket, unrecorded, leafIndex: null }
  await store.write(JSON.stringify(state), signed)
  stage.passSignatures()
  return { payment, store, open: () => reopen() }
}

it('a store whose note was moved under a signed payment gets the payment’s receipt', async () => {
  const { payment, store, open } = await movedStore('the signed payment')
  const paid = await (await open()).send(payment)
  expect(paid).toMatchObject({ payout: `${SENT}`, signature: expect.any(String) as string })
  const { unrecorded, lapsed } = (await storedBalance(store))!
  expect({ unrecorded, lapsed }).toEqual({ unrecorded: [], lapsed: [] })
  expect(stage.holds(payment.to)).toBe(SENT)
})

it('a store whose note was moved under a signed payment says so if another payment spent the note', async () => {
  const { payment, open } = await movedStore('another payment')
  await expect(open()).rejects.toMatchObject({ code: 'SPENT_ELSEWHERE' })
  expect(stage.holds(payment.to)).toBe(0n)
  await (await open()).send(payment)
  expect(stage.holds(payment.to)).toBe(SENT)
})
