import { generateKeyPairSigner, getAddressEncoder } from '@solana/kit'
import {
  encodeTicket,
  MAX_LIFE_SECONDS,
  NATIVE_MINT,
  ownerOf,
  poolAddress,
  REFUND_WINDOW_SECONDS,
} from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { closeNullifier } from '../../../program/tests/fixtures/close-nullifier.ts'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { readPool } from '@sotto/recovery'
import { forgetful, liteNode } from '../../recovery/tests/lite-node.ts'
import { showingChanged, showingPoolOnce } from '../../recovery/tests/showing-pool-once.ts'
import {
  memoryBalance,
  openBalance,
  readBalance,
  restoreBalance,
  storedBalance,
} from '../balance.ts'
import { Crash } from './balance/crashing.ts'
import {
  CHANGE_LEAF_AT,
  erringNode,
  FEE_AT,
  PAYEE_AT,
  PAYOUT_AT,
  TIME_AT,
} from '../../recovery/tests/erring-node.ts'
import { FEE, PayingService } from './balance/paying-service.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

const VALUE = 1_000_000_000n
const SECRET = 4_711n

let prover: SharedProver
let fixture: PoolFixture
beforeAll(async () => {
  prover = await sharedProver()
  fixture = await startPool()
})

/** A new balance in a store that no other balance uses. */
async function opened(life = 3_600n) {
  const node = liteNode(fixture.chain)
  const paying = new PayingService(node, fixture.chain, prover)
  const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, fee: 0n, owner, life }
  const order = await draftOrder(fixture, wish)
  expectLanded(await sendDeposit(fixture, order))
  const { program } = fixture.chain
  const store = memoryBalance()
  const options = { store, rpc: node.rpc, programId: program, approve: () => true, pollMs: 5 }
  const ticket = { program, orderId: order.terms.orderId, note: order.note, secret: SECRET }
  await restoreBalance({ ...options, service: paying.service, ticket: encodeTicket(ticket) })
  return { paying, node, store, options, note: order.note, ticket: encodeTicket(ticket) }
}

it('refuses to read a balance from an empty store', async () => {
  const { options } = await opened()
  const store = memoryBalance()
  expect(await storedBalance(store)).toBeUndefined()
  await expect(readBalance({ ...options, store })).rejects.toMatchObject({ code: 'NO_BALANCE' })
})

it('refuses a quote that states a lower fee than it charges', async () => {
  const { paying, options } = await opened()
  const quote: typeof paying.service.quote = async (request) => {
    const quoted = await paying.service.quote(request)
    return { ...quoted, quote: { ...quoted.quote, fee: `${FEE - 1n}` } }
  }
  const approve = () => expect.fail('the quote was shown')
  const service = { ...paying.service, quote }
  const balance = await openBalance({ ...options, service, approve, acceptedPrograms: [] })
  const to = (await generateKeyPairSigner()).address
  const sent = balance.send({ key: 'one', to, amount: '10000000' })
  await expect(sent).rejects.toMatchObject({ name: 'PaymentRefusedError' })
})

it('pays although the node once showed a wrong pool', async () => {
  const { paying, node, options } = await opened()
  const { program } = fixture.chain
  const { domain } = await readPool(node.rpc, program)
  const rpc = showingPoolOnce(node.rpc, await poolAddress(program), domain)
  const balance = await openBalance({
    ...{ ...options, rpc, service: paying.service, acceptedPrograms: [] },
  })
  const to = (await generateKeyPairSigner()).address
  await balance.send({ key: 'one', to, amount: '10000000' })
  expect(fixture.chain.balance(to)).toBe(10_000_000n)
})

it('pays again after the node has once shown a wrong index of the note', async () => {
  const { paying, node, options } = await opened()
  const { tree } = await readPool(node.rpc, fixture.chain.program)
  let more = 0n
  const change = (data: Buffer) => data.writeBigUInt64LE(data.readBigUInt64LE(8) + more, 8)
  const rpc = showingChanged(node.rpc, tree, change, Infinity)
  const { service } = paying
  const balance = await openBalance({ ...options, rpc, service, acceptedPrograms: [] })
  const to = (await generateKeyPairSigner()).address
  await balance.send({ key: 'one', to, amount: '10000000' })
  // The node now shows a number of leaves that is 1,024 too high, so the ring shows the same leaves at higher indexes.
  more = 1_024n
  const second = { key: 'two', to, amount: '10000000' }
  await expect(balance.send(second)).rejects.toMatchObject({ name: 'PaymentRefusedError' })
  more = 0n
  await balance.send(second)
  expect(fixture.chain.balance(to)).toBe(20_000_000n)
})

it('finds the rest although the node once showed a wrong pool', async () => {
  const { paying, node, options, ticket } = await opened()
  const { service } = paying
  const older = memoryBalance()
  await restoreBalance({ ...options, store: older, service, ticket })
  const paid = await openBalance({ ...options, service, acceptedPrograms: [] })
  await paid.send({ key: 'one', to: (await generateKeyPairSigner()).address, amount: '10000000' })
  const { program } = fixture.chain
  const { domain } = await readPool(node.rpc, program)
  const rpc = showingPoolOnce(node.rpc, await poolAddress(program), domain)
  const read = await readBalance({ ...options, store: older, rpc })
  expect(read.value).toBe(VALUE - 10_000_000n - FEE)
})

it.each([
  ['QUOTE_ALREADY_USED', 'never', 2],
  ['SERVICE_PAUSED', 'unchanged', 1],
])(
  'a payment that was refused with %s (retry: %s) succeeds at the second try, with %i quotes in all',
  async (code, retry, quotes) => {
    const { paying, options } = await opened()
    let isRefused = true
    const orderPayment: typeof paying.service.orderPayment = (...asked) => {
      if (!isRefused) return paying.service.orderPayment(...asked)
      isRefused = false
      return Promise.reject(Object.assign(new Error(code), { code, retry }))
    }
    const service = { ...paying.service, orderPayment }
    const to = (await generateKeyPairSigner()).address
    const pay = async () => {
      const balance = await openBalance({ ...options, service, acceptedPrograms: [] })
      return balance.send({ key: 'one', to, amount: '10000000' })
    }
    await expect(pay()).rejects.toMatchObject({ code })
    await pay()
    expect([fixture.chain.balance(to), paying.quotesMade]).toEqual([10_000_000n, quotes])
  },
)

it('reads a balance while another process pays from it, and changes nothing', async () => {
  const { paying, store, options, note } = await opened()
  const to = (await generateKeyPairSigner()).address
  // The payment lands, but its process crashes before it notices.
  const service = {
    ...paying.service,
    signPayment: async (...args: Parameters<typeof paying.service.signPayment>) => {
      await paying.service.signPayment(...args)
      throw Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' })
    },
  }
  const payer = await openBalance({ ...options, service, acceptedPrograms: [] })
  const sent = payer.send({ key: 'one', to, amount: '10000000' })
  await expect(sent).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })

  const before = await store.read()
  const left = VALUE - 10_000_000n - FEE
  expect(await storedBalance(store)).toMatchObject({
    ...{ assetId: NATIVE_MINT, topUp: null, value: VALUE, endsAt: note.expiry },
    payments: [{ key: 'one', step: 'signed', request: { to, amount: '10000000' } }],
  })
  expect(await readBalance(options)).toMatchObject({ status: 'open', value: left })
  expect(await store.read()).toBe(before)

  const balance = await openBalance({ ...options, service: paying.service, acceptedPrograms: [] })
  const { paid } = await balance.state()
  expect(paid.get('one')).toMatchObject({ payout: '10000000', fee: `${FEE}` })
  expect(await storedBalance(store)).toMatchObject({
    value: left,
    payments: [{ key: 'one', step: 'paid', paid: paid.get('one') }],
  })
})

it('postpones the end of a balance with each payment', async () => {
  const { paying, options, note, ticket } = await opened(172_800n)
  const { deadline, expiry } = note
  const { service } = paying
  const balance = await openBalance({ ...options, service, acceptedPrograms: [] })
  const ends: bigint[] = []
  for (const days of [1n, 2n, 3n]) {
    fixture.chain.setTime(deadline + days * 100_000n)
    const to = (await generateKeyPairSigner()).address
    await balance.send({ key: `${days}`, to, amount: '100000000' })
    ends.push((await balance.state()).endsAt)
  }
  expect(fixture.chain.time > expiry).toBe(true)
  // Each expected end is the beginning of a day plus the balance's whole lifetime.
  const day = (days: bigint) => ((deadline + days * 100_000n) / 86_400n) * 86_400n
  expect(ends).toEqual([1n, 2n, 3n].map((days) => day(days) + expiry - deadline))
  const restored = await restoreBalance({ ...options, service, store: memoryBalance(), ticket })
  const value = VALUE - 3n * (100_000_000n + FEE)
  expect(await restored.state()).toMatchObject({ status: 'open', value, endsAt: ends[2] })
})

it('finds the rest from a store or ticket that is 61 days old', async () => {
  const { paying, node, store, options, note, ticket } = await opened(MAX_LIFE_SECONDS)
  const { chain } = fixture
  const { service } = paying
  const before = await store.read()
  const balance = await openBalance({ ...options, service, acceptedPrograms: [] })
  const to = (await generateKeyPairSigner()).address
  await balance.send({ key: '0', to, amount: '100000000' })
  const { nullifier } = node.settled().at(-1)!
  for (const key of ['1', '2']) {
    chain.setTime(chain.time + MAX_LIFE_SECONDS - 172_800n)
    await balance.send({ key, to, amount: '100000000' })
  }
  await closeNullifier(chain, nullifier)
  expect(chain.time > note.expiry + REFUND_WINDOW_SECONDS).toBe(true)
  const value = VALUE - 3n * (100_000_000n + FEE)
  const { endsAt } = await balance.state()
  const old = { ...options, store: memoryBalance(before) }
  expect(await readBalance(old)).toMatchObject({ status: 'open', value, endsAt })
  const empty = { ...options, service, ticket, isLocalChain: true }
  const restored = await restoreBalance({ ...empty, store: memoryBalance() })
  expect(await restored.state()).toMatchObject({ status: 'open', value, endsAt })

  const rpc = forgetful(options.rpc)
  await expect(readBalance({ ...old, rpc })).rejects.toMatchObject({ name: 'DisagreementError' })
  const unknown = restoreBalance({ ...empty, rpc, store: memoryBalance() })
  await expect(unknown).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
})

it('completes a payment with the signed change note even if the node shows a wrong time', async () => {
  const { paying, options } = await opened(172_800n)
  const { service } = paying
  const rpc = erringNode(options.rpc, (data) => {
    const view = new DataView(data.buffer)
    view.setBigInt64(TIME_AT, view.getBigInt64(TIME_AT, true) + 86_400n, true)
  })
  const balance = await openBalance({ ...options, rpc, service, acceptedPrograms: [] })
  const to = (await generateKeyPairSigner()).address
  await balance.send({ key: 'one', to, amount: '10000000' })
  const value = VALUE - 10_000_000n - FEE
  expect(await balance.state()).toMatchObject({ status: 'open', value })
})

it('saves nothing if the node shows a change note that the balance cannot have', async () => {
  const { paying, store, options } = await opened(172_800n)
  const { service } = paying
  const rpc = erringNode(options.rpc, (data) => {
    data[CHANGE_LEAF_AT + 16] = 1 ^ data[CHANGE_LEAF_AT + 16]!
  })
  const balance = await openBalance({ ...options, rpc, service, acceptedPrograms: [] })
  const to = (await generateKeyPairSigner()).address
  const sent = balance.send({ key: 'one', to, amount: '10000000' })
  await expect(sent).rejects.toMatchObject({ code: 'CHANGE_DIFFERS' })
  const payments = [{ key: 'one', step: 'signed' }]
  expect(await storedBalance(store)).toMatchObject({ value: VALUE, payments })
  // With an honest node, the next run completes the payment.
  const completed = await openBalance({ ...options, service, acceptedPrograms: [] })
  expect((await completed.state()).value).toBe(VALUE - 10_000_000n - FEE)
  expect(fixture.chain.balance(to)).toBe(10_000_000n)
})

it.each([
  ['payee', (data: Uint8Array, other: Uint8Array) => data.set(other, PAYEE_AT)],
  [
    'split into payout and fee',
    (data: Uint8Array) => {
      const view = new DataView(data.buffer)
      view.setBigUint64(PAYOUT_AT, view.getBigUint64(PAYOUT_AT, true) - 1n, true)
      view.setBigUint64(FEE_AT, view.getBigUint64(FEE_AT, true) + 1n, true)
    },
  ],
])('makes a payment only once if the node shows another %s', async (_what, change) => {
  const { paying, store, options } = await opened(172_800n)
  const { service } = paying
  const other = new Uint8Array(getAddressEncoder().encode((await generateKeyPairSigner()).address))
  const rpc = erringNode(options.rpc, (data) => change(data, other))
  const to = (await generateKeyPairSigner()).address
  const request = { key: 'one', to, amount: '10000000' }
  const pay = async () => {
    const balance = await openBalance({ ...options, rpc, service, acceptedPrograms: [] })
    return balance.send(request)
  }
  for (let run = 0; run < 2; run += 1) {
    await expect(pay()).rejects.toMatchObject({ name: 'DisagreementError' })
  }
  expect(await storedBalance(store)).toMatchObject({ payments: [{ key: 'one', step: 'signed' }] })
  const honest = await openBalance({ ...options, service, acceptedPrograms: [] })
  await honest.send(request)
  expect(fixture.chain.balance(to)).toBe(10_000_000n)
})
