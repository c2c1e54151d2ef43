import { generateKeyPairSigner } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { liteNode } from '../../recovery/tests/lite-node.ts'
import { memoryBalance, openBalance, restoreBalance, type BalanceOptions } from '../balance.ts'
import { PayingService } from './balance/paying-service.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

const SECRET = 4_711n
const POLL_MS = 100
const wallet = async () => (await generateKeyPairSigner()).address

let prover: SharedProver
let fixture: PoolFixture
beforeAll(async () => {
  prover = await sharedProver()
  fixture = await startPool()
})

/**
 * A balance with a simulated clock. The clock advances only during pauses, and by `approvalMs` when a quote is
 * approved. A payment lands at the end of the first pause that ends at least `landsMs` after the payment's signature
 * was sent. `events` lists the calls to the node and to the service in the order of the calls.
 */
async function onOwnClock() {
  const node = liteNode(fixture.chain)
  const { service } = new PayingService(node, fixture.chain, prover)
  const run = {
    nowMs: 1_000_000,
    landsMs: 0,
    approvalMs: 0,
    pausesMs: [] as number[],
    events: [] as string[],
  }
  let due: { readonly atMs: number; readonly land: () => Promise<unknown> } | undefined
  const host = {
    nowMs: () => run.nowMs,
    fraction: () => 0,
    sleep: async (ms: number) => {
      run.nowMs += ms
      run.pausesMs.push(ms)
      if (due === undefined || run.nowMs < due.atMs) return
      const { land } = due
      due = undefined
      await land()
    },
  }
  const rpc = new Proxy(node.rpc, {
    get: (whole, key) => {
      if (key === 'getMultipleAccounts') run.events.push('asks for the note')
      return Reflect.get(whole, key) as unknown
    },
  })
  const options: Omit<BalanceOptions, 'store'> = {
    ...{ rpc, host, programId: fixture.chain.program, pollMs: POLL_MS },
    approve: () => {
      run.nowMs += run.approvalMs
      return true
    },
    service: {
      ...service,
      quote: (...asked) => {
        run.events.push('asks for a quote')
        return service.quote(...asked)
      },
      orderPayment: (...ordered) => {
        run.events.push('orders')
        return service.orderPayment(...ordered)
      },
      signPayment: (...signed) => {
        run.events.push('hands over')
        due = { atMs: run.nowMs + run.landsMs, land: () => service.signPayment(...signed) }
        return Promise.resolve({ trackingId: signed[0] } as never)
      },
    },
  }
  const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
  const wish = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 0n, owner }
  const order = await draftOrder(fixture, wish)
  expectLanded(await sendDeposit(fixture, order))
  const { program } = fixture.chain
  const ticket = { program, orderId: order.terms.orderId, note: order.note, secret: SECRET }
  const store = memoryBalance()
  const balance = await restoreBalance({ ...options, store, ticket: encodeTicket(ticket) })
  /** Makes one payment, and returns the pauses during it. */
  const pausesOf = async (key: string, landsMs: number): Promise<readonly number[]> => {
    run.landsMs = landsMs
    run.pausesMs = []
    await balance.send({ key, to: await wallet(), amount: '1000000' })
    return run.pausesMs
  }
  return { run, pausesOf, options, store, balance }
}

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms)

it("begins to poll after three quarters of the last payment's duration", async () => {
  const { pausesOf } = await onOwnClock()
  expect(await pausesOf('first', 800)).toEqual(times(8, POLL_MS))
  expect(await pausesOf('equal', 800)).toEqual([600, ...times(2, POLL_MS)])
  expect(await pausesOf('slower', 1_000)).toEqual([600, ...times(4, POLL_MS)])
})

it('begins to poll earlier if payments get faster', async () => {
  const { pausesOf } = await onOwnClock()
  await pausesOf('slow', 40_000)
  const [first] = await pausesOf('fast', 100)
  expect(first).toBe(10 * POLL_MS)
  expect(await pausesOf('second', 100)).toEqual([750])
  expect(await pausesOf('third', 100)).toEqual([562.5])
})

it('asks the service before the node only if the node has just shown the end of a payment', async () => {
  const { run, pausesOf, options } = await onOwnClock()
  const begun = async (key: string) => {
    run.events.length = 0
    await pausesOf(key, 100)
    return run.events.slice(0, run.events.indexOf('orders'))
  }
  // The service must not learn the payee of a balance that has ended.
  const [node, service] = ['asks for the note', 'asks for a quote']
  expect(await begun('first')).toEqual([node, service])
  // The node answers while the service makes the quote, and the order uses that answer.
  expect(await begun('next')).toEqual([service, node])
  await options.host!.sleep(2_000)
  expect(await begun('later')).toEqual([node, service])
})

it('does not ask for a quote after the last payment has emptied the balance', async () => {
  const { run, balance } = await onOwnClock()
  run.landsMs = 100
  const all = { amount: '1000000000', mode: 'exact_in' } as const
  await balance.send({ key: 'all', to: await wallet(), ...all })
  run.events.length = 0
  const more = balance.send({ key: 'more', to: await wallet(), amount: '1000000' })
  await expect(more).rejects.toMatchObject({ code: 'BALANCE_EMPTY' })
  expect(run.events).toEqual([])
})

it('asks the node again if the approval of the quote took long', async () => {
  const { run, pausesOf } = await onOwnClock()
  run.approvalMs = 2_000
  run.events.length = 0
  await pausesOf('slow', 100)
  expect(run.events.slice(0, run.events.indexOf('orders'))).toEqual([
    ...['asks for the note', 'asks for a quote', 'asks for the note'],
  ])
})

it("sends an earlier run's signature only if the note is unspent", async () => {
  const { run, pausesOf, options, store } = await onOwnClock()
  await pausesOf('whole', 100)
  expect(run.events.slice(run.events.indexOf('orders'), -1)).toEqual(['orders', 'hands over'])
  // This payment lands after the process that sends it has stopped.
  const ended = new AbortController()
  const service = {
    ...options.service,
    signPayment: async (...signed: Parameters<typeof options.service.signPayment>) => {
      await options.service.signPayment(...signed)
      ended.abort(new Error('ended'))
      throw new Error('ended')
    },
  }
  const cut = await openBalance({
    ...{ ...options, service, store, signal: ended.signal },
    acceptedPrograms: [],
  })
  await expect(cut.send({ key: 'cut', to: await wallet(), amount: '1000000' })).rejects.toThrow()
  await options.host!.sleep(1_000)
  run.events.length = 0
  await openBalance({ ...options, store, acceptedPrograms: [] })
  expect(run.events).toEqual(['asks for the note'])
})
