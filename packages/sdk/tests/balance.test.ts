import { generateKeyPairSigner } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, ownerOf, type Ticket } from '@sotto/protocol'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { liteNode } from '../../recovery/tests/lite-node.ts'
import {
  memoryBalance,
  openBalance,
  restoreBalance,
  type Balance,
  type BalanceStore,
  type PaymentOrder,
} from '../balance.ts'
import { systemHost } from '../src/host/host.ts'
import { Crash, crashAt } from './balance/crashing.ts'
import { FEE, PayingService } from './balance/paying-service.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

const VALUE = 1_000_000_000n
const SECRET = 4_711n

let prover: SharedProver
let fixture: PoolFixture
let node: ReturnType<typeof liteNode>
let paying: PayingService

/** Opens a balance with a deposit: restores the balance from the deposit's ticket into the store. */
async function opened(store: BalanceStore): Promise<{ balance: Balance; ticket: Ticket }> {
  const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
  const wish = { sourceMint: NATIVE_MINT, amountOut: VALUE, fee: 0n, owner }
  const order = await draftOrder(fixture, wish)
  expectLanded(await sendDeposit(fixture, order))
  const { orderId } = order.terms
  const ticket = { program: fixture.chain.program, orderId, note: order.note, secret: SECRET }
  const balance = await restoreBalance({ ...options(), store, ticket: encodeTicket(ticket) })
  return { balance, ticket }
}

const options = () => ({
  service: paying.service,
  rpc: node.rpc,
  programId: fixture.chain.program,
  approve: () => true,
  pollMs: 5,
  acceptedPrograms: [],
})
const again = (store: BalanceStore) => openBalance({ ...options(), store })
const wallet = async () => (await generateKeyPairSigner()).address
const holds = (address: Awaited<ReturnType<typeof wallet>>) => fixture.chain.balance(address)

beforeAll(async () => {
  prover = await sharedProver()
  fixture = await startPool()
  node = liteNode(fixture.chain)
})
beforeEach(() => {
  paying = new PayingService(node, fixture.chain, prover)
})

describe('a balance', () => {
  it('makes one payment for each key, and reports the remaining value', async () => {
    const { balance } = await opened(memoryBalance())
    const to = await wallet()
    const request = { key: 'invoice 1', to, amount: '300000000' }
    const paid = await balance.send(request)
    expect(paid).toMatchObject({ payout: '300000000', fee: `${FEE}` })
    expect(paid.signature).toBe(node.sent.at(-1)?.signature)
    expect(await balance.send(request)).toEqual(paid)
    expect(holds(to)).toBe(300_000_000n)
    await expect(balance.send({ ...request, amount: '1' })).rejects.toMatchObject({
      code: 'KEY_REUSED',
    })
    expect(await balance.state()).toMatchObject({
      ...{ status: 'open', value: VALUE - 300_000_000n - FEE, assetId: NATIVE_MINT },
    })
  })

  it('makes simultaneous payments one after the other', async () => {
    const { balance } = await opened(memoryBalance())
    const payees = await Promise.all([wallet(), wallet(), wallet()])
    await Promise.all(
      payees.map((to, index) => balance.send({ key: `${index}`, to, amount: '10000000' })),
    )
    for (const to of payees) expect(holds(to)).toBe(10_000_000n)
    expect((await balance.state()).value).toBe(VALUE - 3n * (10_000_000n + FEE))
  })

  it('pays its rest to the wallet when it is closed, except for a small residue', async () => {
    const store = memoryBalance()
    const { balance, ticket } = await opened(store)
    const { sender } = ticket.note
    const before = holds(sender)
    const paid = await balance.close()
    const { status, value: residue } = await balance.state()
    expect(status).toBe('closed')
    expect(residue * 1_000n).toBeLessThanOrEqual(VALUE)
    expect(holds(sender) - before).toBe(VALUE - residue - FEE)
    expect(await (await again(store)).close()).toEqual(paid)
  })

  it('pays its whole rest to the wallet if `kept` is 0', async () => {
    const { balance, ticket } = await opened(memoryBalance())
    const before = holds(ticket.note.sender)
    await balance.close({ kept: 0n })
    expect(holds(ticket.note.sender) - before).toBe(VALUE - FEE)
    expect((await balance.state()).status).toBe('empty')
    const late = balance.send({ key: 'late', to: await wallet(), amount: '1' })
    await expect(late).rejects.toMatchObject({ code: 'BALANCE_EMPTY' })
  })

  it('signs again only after the chain has proved that the first payment cannot land', async () => {
    const { balance } = await opened(memoryBalance())
    const to = await wallet()
    paying.isStuck = true
    const sent = balance.send({ key: 'slow', to, amount: '10000000' })
    while (paying.ordersMade === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(paying.ordersMade).toBe(1)
    fixture.chain.setTime(fixture.chain.time + 1_800n)
    paying.isStuck = false
    await sent
    expect(paying.ordersMade).toBe(2)
    expect(holds(to)).toBe(10_000_000n)
  })

  it('continues with its current rest after it was restored from its first ticket', async () => {
    const { balance, ticket } = await opened(memoryBalance())
    await balance.send({ key: 'one', to: await wallet(), amount: '10000000' })
    const first = encodeTicket(ticket)
    const other = await restoreBalance({ ...options(), store: memoryBalance(), ticket: first })
    expect(other.ticket).toBe(balance.ticket)
    await other.send({ key: 'two', to: await wallet(), amount: '20000000' })
    expect((await balance.state()).value).toBe(VALUE - 30_000_000n - 2n * FEE)
  })

  it('keeps its secret from the service', async () => {
    // The paying service refuses a ticket that contains a secret.
    const { balance } = await opened(memoryBalance())
    await expect(
      balance.send({ key: 'one', to: await wallet(), amount: '10000000' }),
    ).resolves.toBeDefined()
  })
})

describe('a note from which another holder of the secret is paying', () => {
  const shared = async () => {
    const { balance, ticket } = await opened(memoryBalance())
    const text = encodeTicket(ticket)
    const restored = (more: object) =>
      restoreBalance({ ...options(), store: memoryBalance(), ticket: text, ...more })
    return { balance, restored }
  }
  /** A host that calls `then` after this many pauses. */
  const hostThat = (pauses: number, then: () => void) => {
    const sleptMs: number[] = []
    const sleep = (ms: number) => {
      sleptMs.push(ms)
      if (sleptMs.length === pauses) then()
      return systemHost.sleep(5)
    }
    return { sleptMs, host: { ...systemHost, sleep } }
  }
  /** Orders a payment, and stops before its signature is sent. */
  const abandon = async (restored: Awaited<ReturnType<typeof shared>>['restored']) => {
    const signPayment = () =>
      Promise.reject(Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' }))
    const other = await restored({ service: { ...paying.service, signPayment } })
    const sent = other.send({ key: 'abandoned', to: await wallet(), amount: '10000000' })
    await expect(sent).rejects.toMatchObject({ code: 'PAYMENT_MAY_LAND' })
  }

  it('pays after the other payment has ended, and requests no quotes before', async () => {
    const { restored } = await shared()
    await abandon(restored)
    const { sleptMs, host } = hostThat(20, () => fixture.chain.setTime(fixture.chain.time + 1_800n))
    const [to, balance] = [await wallet(), await restored({ host })]
    await balance.send({ key: 'one', to, amount: '20000000' })
    expect(holds(to)).toBe(20_000_000n)
    expect(sleptMs.length).toBeGreaterThanOrEqual(20)
    // The abandoned payment made one quote and one order. The new payment made a refused quote, a quote and an order.
    expect([paying.quotesMade, paying.ordersMade]).toEqual([3, 2])
  })

  it('pays from the rest as soon as the other payment has landed', async () => {
    const { balance, restored } = await shared()
    let land = (): void => undefined
    const landing = new Promise<void>((resolve) => (land = resolve))
    const signPayment: typeof paying.service.signPayment = async (...signed) => {
      await landing
      return paying.service.signPayment(...signed)
    }
    const other = await restored({ service: { ...paying.service, signPayment } })
    const first = other.send({ key: 'first', to: await wallet(), amount: '10000000' })
    while (paying.ordersMade === 0) await systemHost.sleep(5)
    const mine = await restored({ host: hostThat(20, () => land()).host })
    const to = await wallet()
    await mine.send({ key: 'one', to, amount: '20000000' })
    await first
    expect(holds(to)).toBe(20_000_000n)
    expect([paying.quotesMade, paying.ordersMade]).toEqual([3, 2])
    expect((await balance.state()).value).toBe(VALUE - 30_000_000n - 2n * FEE)
  })

  it('is tried again after the stated pause, and given up when all other payments have ended', async () => {
    const { restored } = await shared()
    const { sleptMs, host } = hostThat(3, () => fixture.chain.setTime(fixture.chain.time + 1_800n))
    const orderPayment = () =>
      Promise.reject(
        Object.assign(new Error('in use'), {
          ...{ code: 'NOTE_IN_USE', retry: 'new_quote', retryAfterSeconds: 7 },
        }),
      )
    const balance = await restored({ host, service: { ...paying.service, orderPayment } })
    const sent = balance.send({ key: 'one', to: await wallet(), amount: '20000000' })
    await expect(sent).rejects.toMatchObject({ code: 'NOTE_IN_USE' })
    // During the third pause, the clock passes the latest second at which the other payment could end.
    expect(sleptMs).toHaveLength(3)
    expect(paying.quotesMade).toBe(2)
  })
})

describe('a list', () => {
  it('is paid once, line by line, even if the process ends at any point', async () => {
    const store = memoryBalance()
    await opened(store)
    const lineOf = async () => ({ to: await wallet(), amount: '1000000' })
    let points = 0
    for (let point = 1; ; point += 1) {
      const list = { id: `list ${point}`, lines: [await lineOf()] }
      const before = (await (await again(store)).state()).value
      // Nothing durable changes between two calls, so only crashes after calls are tested.
      const crashing = crashAt(point, (name) => name.startsWith('after '))
      const surrounded = crashing.surround({ ...options(), store })
      const run = async () => (await openBalance(surrounded)).sendAll(list)
      const ended = await run().catch((error: unknown) => error)
      const seen: number[] = []
      await (await again(store)).sendAll(list, ({ line }) => seen.push(line))
      const { last } = crashing.passed
      for (const { to } of list.lines) expect(holds(to), last).toBe(1_000_000n)
      const after = (await (await again(store)).state()).value
      expect(before - after, last).toBe(1_000_000n + FEE)
      expect(seen).toEqual([0])
      if (!(ended instanceof Crash)) break
      points += 1
    }
    expect(points).toBeGreaterThan(10)
  })

  it('refuses a changed line before it pays any line', async () => {
    const { balance } = await opened(memoryBalance())
    const [first, second] = [await wallet(), await wallet()]
    const lines = [{ to: first, amount: '1000000' }]
    await balance.sendAll({ id: 'list', lines })
    const changed = [
      { to: second, amount: '1000000' },
      { to: second, amount: '1000000' },
    ]
    const refused = balance.sendAll({ id: 'list', lines: changed })
    await expect(refused).rejects.toMatchObject({ code: 'KEY_REUSED' })
    expect(holds(second)).toBe(0n)
  })
})

describe('a service that asks for a signature of other terms is refused', () => {
  type Payment = PaymentOrder['payment']
  const later = (seconds: number, { validUntil }: Payment) =>
    new Date(Date.parse(validUntil) + seconds * 1_000).toISOString()
  const withoutZone = ({ validUntil }: Payment) => ({ validUntil: validUntil.slice(0, -1) })
  const attacks: [string, (payment: Payment) => Partial<Payment>, RegExp][] = [
    ['another payee', () => ({ payee: NATIVE_MINT }), /another wallet/],
    ['less for the payee', ({ payout }) => ({ payout: `${BigInt(payout) - 1n}` }), /amounts/],
    ['a higher fee', ({ fee }) => ({ fee: `${BigInt(fee) + 1n}` }), /amounts/],
    ['less change', ({ change }) => ({ change: `${BigInt(change) - 1n}` }), /entire remainder/],
    ['another note', ({ leafIndex }) => ({ leafIndex: leafIndex + 1 }), /another note/],
    ['a later end', (payment) => ({ validUntil: later(1_800, payment) }), /too late/],
    ['an end that has passed', (payment) => ({ validUntil: later(-1_200, payment) }), /too early/],
    [
      'an end one second before the ten-minute boundary',
      (payment) => ({ validUntil: later(-1, payment) }),
      /ten-minute boundary/,
    ],
    ['an end that is no time', () => ({ validUntil: 'soon' }), /ten-minute boundary/],
    ['an end without a zone', withoutZone, /ten-minute boundary/],
    ['an invalid amount', () => ({ fee: '-1' }), /not an amount/],
  ]

  it.each(attacks)('refused: %s', async (_name, change, reason) => {
    const { balance } = await opened(memoryBalance())
    paying.change = (made) => ({ ...made, payment: { ...made.payment, ...change(made.payment) } })
    const to = await wallet()
    const sent = balance.send({ key: 'one', to, amount: '10000000' })
    await expect(sent).rejects.toMatchObject({
      name: 'PaymentRefusedError',
      message: expect.stringMatching(reason) as string,
    })
    expect(holds(to)).toBe(0n)
  })
})
