import { generateKeyPairSigner, getAddressEncoder } from '@solana/kit'
import { amount } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { erringNode, PAYEE_AT } from './erring-node.ts'
import { landPayment, payFromBalance } from '../index.ts'
import { LandingStage } from './landing-stage.ts'

const PAYOUT = amount(300_000_000n)

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

const wallet = async () => (await generateKeyPairSigner()).address

it.each([{ again: false }, { again: true }])(
  'does not pay twice if a node shows another payee of the payment: %o',
  async ({ again }) => {
    const ticket = await stage.deposit('balance')
    const { use, landing, congested } = await stage.through(ticket, 'hidden', 'land')
    const other = getAddressEncoder().encode(await wallet())
    const rpc = erringNode(congested.rpc, (data) => data.set(other, PAYEE_AT))
    const payee = await wallet()
    const paid = await landPayment({ ...use, rpc, payee, payout: PAYOUT, again }, landing)
    expect(stage.fixture.chain.balance(payee)).toBe(PAYOUT)
    expect([...congested.arrivals.keys()]).toEqual([paid.signature])
  },
)

it('does not pay twice if a node shows another signature and another payee', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing, congested } = await stage.through(ticket, 'hidden', 'land')
  const other = getAddressEncoder().encode(await wallet())
  const inner = erringNode(congested.rpc, (data) => data.set(other, PAYEE_AT))
  const rpc = new Proxy(inner, {
    get: (whole, key) => {
      if (key === 'getSignaturesForAddress') {
        const listed = [{ signature: 'false', slot: 1n, err: null, blockTime: null }]
        return () => ({ send: async () => listed })
      }
      if (key !== 'getTransaction') return Reflect.get(whole, key) as unknown
      const { signature } = stage.node.sent.at(-1)!
      return (_: string, options: object) => whole.getTransaction(signature, options as never)
    },
  })
  const payee = await wallet()
  const request = { ...use, rpc, payee, payout: PAYOUT, again: true }
  await expect(landPayment(request, landing)).rejects.toMatchObject({
    code: 'PAID_BEFORE',
    message: expect.stringContaining('another payee'),
  })
  expect(stage.fixture.chain.balance(payee)).toBe(PAYOUT)
})

it('does not pay twice in a later call if a node shows another payee of the tried payment', async () => {
  const ticket = await stage.deposit('balance')
  const { use, steps, landing, congested } = await stage.through(ticket, 'land', 'land')
  const payee = await wallet()
  const payment = { ...use, payee, payout: PAYOUT }
  const { signature } = await landPayment(payment, landing)
  const tried = steps.map(({ nullifier }) => nullifier)
  const other = getAddressEncoder().encode(await wallet())
  const rpc = erringNode(congested.rpc, (data) => data.set(other, PAYEE_AT))
  await expect(landPayment({ ...payment, rpc, tried }, landing)).rejects.toMatchObject({
    code: 'PAID_BEFORE',
    message: expect.stringContaining('another payee'),
  })
  expect(stage.fixture.chain.balance(payee)).toBe(PAYOUT)
  // `except` says that a person has checked the transaction with this signature. So the payment is made.
  await payFromBalance({ ...payment, rpc, tried, except: [signature] })
  expect(stage.fixture.chain.balance(payee)).toBe(2n * PAYOUT)
})

it('does not pay twice if a call with `except` is repeated, even if a node shows both payments under one signature', async () => {
  const ticket = await stage.deposit('balance')
  const { use, steps, landing, congested } = await stage.through(ticket, 'land', 'land')
  const payee = await wallet()
  const payment = { ...use, payee, payout: PAYOUT }
  const { signature: first } = await payFromBalance(payment)
  const again = { ...payment, except: [first] }
  const { signature: second } = await landPayment(again, landing)
  const tried = steps.map(({ nullifier }) => nullifier)
  const repeated = { ...again, tried }
  await expect(landPayment(repeated, landing)).rejects.toMatchObject({
    ...{ code: 'PAID_BEFORE', paid: { signature: second } },
  })
  const rpc = new Proxy(congested.rpc, {
    get: (whole, key) => {
      if (key === 'getSignaturesForAddress') return listing
      if (key !== 'getTransaction') return Reflect.get(whole, key) as unknown
      return (_: string, options: object) => whole.getTransaction(last as never, options as never)
    },
  })
  let last: string = first
  const listing = (account: never, ...more: never[]) => ({
    send: async () => {
      const found = await congested.rpc.getSignaturesForAddress(account, ...more).send()
      last = found[0]?.signature ?? last
      return found.map((one) => ({ ...one, signature: first }))
    },
  })
  await expect(landPayment({ ...repeated, rpc }, landing)).rejects.toMatchObject({
    ...{ code: 'PAID_BEFORE', paid: { signature: first } },
  })
  expect(stage.fixture.chain.balance(payee)).toBe(2n * PAYOUT)
})
