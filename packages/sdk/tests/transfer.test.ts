import type { QuoteResponse } from '@sotto/contract'
import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../server/src/adapters/clock/system-clock.ts'
import {
  sharedProcessProver,
  type SharedProcessProver,
} from '../../../testing/prover/shared-prover.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { startEngine, type Engine } from '../../server/tests/settlement/stack/engine.ts'
import { lamportsOf } from '../../server/tests/settlement/stack/orders.ts'
import { makeWallet } from '../../server/tests/settlement/stack/wallet.ts'
import {
  askedFor,
  memoryTickets,
  submitOrder,
  transfer,
  type TransferRpc,
  type TransferState,
  type VerifiedOrder,
} from '../wallet.ts'
import { Crash, endingAt, openSurvivor, type Survivor } from './transfer/crash-points.ts'
import { costOfOne, fundedSigner, openBooks, optionsOf } from './transfer/paying.ts'

let stack: HttpStack
let base: Awaited<ReturnType<typeof optionsOf>>

beforeAll(async () => {
  stack = await startHttpStack()
  base = await optionsOf(stack)
})
afterAll(() => stack?.close())

/** A node that accepts transactions but doesn't forward them to the cluster. */
function losing(rpc: TransferRpc): TransferRpc {
  return new Proxy(rpc, {
    get: (object, key) =>
      key === 'sendTransaction'
        ? () => ({ send: async () => 'lost' })
        : (Reflect.get(object, key) as unknown),
  })
}

/** Runs the transfer until the state of this step is saved, and stops it there. */
async function stopAt(
  step: TransferState['step'],
  survivor: Survivor,
  more: Partial<typeof base> & { readonly rpc?: TransferRpc } = {},
): Promise<TransferState> {
  const save = async (state: TransferState) => {
    await survivor.save(state)
    if (state.step === step) throw new Crash(step)
  }
  const running = transfer({ ...base, ...more, state: survivor.read(), save })
  await expect(running).rejects.toThrow(Crash)
  return survivor.read()
}

const killBlockhash = () => stack.localnet.local('localnet_advanceTime', [30])

/**
 * Stops a transfer at a point, resumes it, and expects exactly one payment. Returns false if the transfer ended
 * before it reached the point.
 */
async function paidOnceFrom(point: number): Promise<boolean> {
  const signer = await fundedSigner(stack, 2_000_000_000)
  const request = solSend(stack, { senderAddress: signer.address })
  const survivor = openSurvivor(askedFor(request))
  const books = await openBooks(stack, signer.address)
  // Each transfer has its own ticket store. Otherwise each order's secret would be compared with those of all other
  // tickets.
  const own = { ...base, signer, tickets: memoryTickets() }
  const { save } = survivor
  const { passed, options } = endingAt(point, { ...own, save })
  const running = transfer({ ...own, ...options, until: 'paid', state: survivor.read() })
  const stopped = await running.catch((error: unknown) => error)
  const isStopped = stopped instanceof Crash
  if (!isStopped) expect(stopped).toMatchObject({ outcome: 'paid' })
  const paid = await transfer({ ...own, save, until: 'paid', state: survivor.read() })
  expect(paid, `after ${passed.last}`).toMatchObject({ outcome: 'paid' })
  const recovery = await own.tickets.read(paid.trackingId)
  const cost = await costOfOne(stack, request, recovery!)
  expect(await books.spent(), `after ${passed.last}`).toBe(cost)
  return isStopped
}

it('is paid exactly once after it was stopped at any point and resumed', async () => {
  const books = await openBooks(stack)
  let [point, points, isOver] = [0, 0, false]
  const takeTurns = async () => {
    while (!isOver) {
      point += 1
      if (await paidOnceFrom(point)) points += 1
      else isOver = true
    }
  }
  // A transfer spends most of its time waiting, so several run at the same time.
  await Promise.all([takeTurns(), takeTurns(), takeTurns(), takeTurns()])
  expect(await books.ordersMade()).toBe(point)
  // There is a point before and a point after each call, and before and after each save.
  expect(points).toBeGreaterThan(30)
})

it('shows the program and its upgrade authority to `inspect` before the wallet signs', async () => {
  const survivor = openSurvivor(askedFor(solSend(stack)))
  const books = await openBooks(stack)
  const inspect = vi.fn(({ program }: VerifiedOrder) => {
    if (program.upgradeAuthority !== null) throw new Error('somebody may replace the program')
  })
  const running = transfer({ ...base, inspect, state: survivor.read(), save: survivor.save })
  await expect(running).rejects.toThrow('somebody may replace the program')
  expect(inspect.mock.calls[0]![0].program).toMatchObject({ isExpected: true })
  expect([survivor.read().step, await books.spent()]).toEqual(['ordered', 0n])
})

describe('a transfer whose blockhash expired', () => {
  it.each(['ordered', 'signing', 'submitting', 'refreshing'] as const)(
    'is refreshed and paid once after it was stopped at %s',
    async (step) => {
      const request = solSend(stack)
      const survivor = openSurvivor(askedFor(request))
      const books = await openBooks(stack)
      if (step === 'refreshing') {
        await stopAt('submitting', survivor)
        await killBlockhash()
      }
      const stopped = await stopAt(step, survivor)
      await killBlockhash()
      const { save, steps } = survivor
      const paid = await transfer({ ...base, save, until: 'paid', state: stopped })
      expect(paid).toMatchObject({ outcome: 'paid' })
      expect(steps).toContain('refreshing')
      const recovery = await base.tickets.read(paid.trackingId)
      expect(await books.spent()).toBe(await costOfOne(stack, request, recovery!))
      expect(await books.ordersMade()).toBe(1)
    },
  )
})

describe('a swap whose price moved after it was signed', () => {
  const swap = () => ({ ...solSend(stack, { destinationAssetId: stack.usdc }), minOut: '1' })
  const unwinding = async (survivor: Survivor): Promise<TransferState> => {
    const lost = { rpc: losing(stack.rpc) as typeof base.rpc }
    const signed = await stopAt('submitting', survivor, lost)
    await killBlockhash()
    await stack.setRate(10)
    await stopAt('unwinding', survivor, lost)
    await stack.setRate(15)
    return signed
  }

  it('ends unpaid only after no signed transaction can land any more', async () => {
    const survivor = openSurvivor(askedFor(swap()))
    const books = await openBooks(stack)
    await unwinding(survivor)
    const { save } = survivor
    const controller = new AbortController()
    const early = transfer({
      ...{ ...base, save, state: survivor.read(), signal: controller.signal },
    }).catch((error: unknown) => error)
    await systemClock.sleep(1_000)
    controller.abort(new Error('still waiting'))
    expect(await early).toMatchObject({ message: 'still waiting' })
    await stack.localnet.local('localnet_advanceTime', [120])
    const ended = await transfer({ ...base, save, state: survivor.read() })
    expect(ended).toMatchObject({ outcome: 'not_paid', code: 'PRICE_MOVED' })
    expect(await books.spent()).toBe(0n)
  })
})

it('a transfer counts as paid if its deposit lands although the order has ended', async () => {
  const request = solSend(stack)
  const survivor = openSurvivor(askedFor(request))
  const signed = await stopAt('submitting', survivor)
  if (signed.step !== 'submitting' || signed.wire === null) throw new Error('nothing was signed')
  const { signature: _signature, wire, ...rest } = signed
  await submitOrder(stack.rpc, new Uint8Array(Buffer.from(wire, 'base64')))
  const state: TransferState = { ...rest, step: 'unwinding', code: 'ORDER_EXPIRED' }
  const paid = await transfer({ ...base, save: survivor.save, until: 'paid', state })
  expect(paid).toMatchObject({ outcome: 'paid', trackingId: signed.order.trackingId })
})

it('makes no order if the quote was declined', async () => {
  const books = await openBooks(stack)
  const { save, read } = openSurvivor(askedFor(solSend(stack)))
  const declined = transfer({ ...base, save, approve: () => false, state: read() })
  await expect(declined).rejects.toThrow('not accepted')
  expect(await books.ordersMade()).toBe(0)
})

it.each(['quoted', 'ordered'] as const)(
  'signs nothing if the quote of a resumed transfer is not accepted again (%s)',
  async (step) => {
    const survivor = openSurvivor(askedFor(solSend(stack)))
    const state = await stopAt(step, survivor)
    const approved: QuoteResponse[] = []
    const approve = (quoted: QuoteResponse) => approved.push(quoted) === 0
    const { save, steps } = survivor
    const declined = transfer({ ...base, save, approve, until: 'paid', state })
    await expect(declined).rejects.toMatchObject({ name: 'QuoteDeclinedError' })
    expect(approved).toMatchObject([{ success: true, privacy: {}, senderMustHold: {} }])
    expect(steps.at(-1)).toBe('asked')
  },
)

it('requests a new quote if the saved quote expired before its order was made', async () => {
  const survivor = openSurvivor(askedFor(solSend(stack)))
  const quoted = await stopAt('quoted', survivor)
  if (quoted.step !== 'quoted') throw new Error('nothing was quoted')
  stack.advanceMs(120_000)
  let approvals = 0
  const approve = () => (approvals += 1) > 0
  const { save, steps } = survivor
  await transfer({ ...base, save, approve, until: 'paid', state: quoted })
  // The first approval is for the saved quote, the second for the new one.
  expect(approvals).toBe(2)
  expect(steps.filter((step) => step === 'asked').length).toBe(2)
})

it('refuses a refreshed order that is a different order', async () => {
  const other = openSurvivor(askedFor(solSend(stack)))
  const survivor = openSurvivor(askedFor(solSend(stack)))
  const foreign = await stopAt('ordered', other)
  const own = await stopAt('submitting', survivor)
  if (foreign.step !== 'ordered' || own.step !== 'submitting') throw new Error('no orders')
  await killBlockhash()
  const expiration = new Date(Date.parse(own.order.expiration) + 1_000).toISOString()
  for (const answer of [foreign.order, { ...own.order, expiration }]) {
    const service = { ...base.service, refresh: async () => answer }
    const running = transfer({ ...base, service, save: survivor.save, state: own })
    const refused = { refusals: [{ code: 'refreshed' }], mayBeSigned: true }
    await expect(running).rejects.toMatchObject(refused)
    expect(survivor.read().step).toBe('refreshing')
  }
})

it.each(['SCREENING_REFUSED', 'ORDER_EXPIRED'])(
  'is followed until its signed transaction cannot land any more if the service refuses to make a new one (%s)',
  async (code) => {
    const survivor = openSurvivor(askedFor(solSend(stack)))
    const own = await stopAt('submitting', survivor)
    await killBlockhash()
    const refusal = Object.assign(new Error(code), { code, retry: 'never' })
    const service = { ...base.service, refresh: () => Promise.reject(refusal) }
    const stop = new AbortController()
    const save: typeof survivor.save = async (next) => {
      await survivor.save(next)
      if (next.step === 'unwinding') stop.abort(refusal)
    }
    const { signal } = stop
    await expect(transfer({ ...base, service, save, signal, state: own })).rejects.toBe(refusal)
    expect(survivor.read()).toMatchObject({ step: 'unwinding', code })
  },
)

describe('while settlement runs', () => {
  let prover: SharedProcessProver
  let engine: Engine

  beforeAll(async () => {
    prover = await sharedProcessProver()
    const relayers = [makeWallet()]
    await stack.localnet.local('requestAirdrop', [relayers[0]!.address, 500_000_000_000])
    type Shown = { tree: Address; domain: string }
    const { tree, domain } = await stack.operate<Shown>('pool', 'show')
    const pool = { tree, domain: new Uint8Array(Buffer.from(domain, 'hex')) }
    engine = startEngine({ ...stack, ...pool, prover, relayers })
  })
  afterAll(async () => {
    await engine?.stop()
  })

  it('a transfer is followed to its delivery, even by a process that starts later', async () => {
    const soon = { minDelaySeconds: 0, maxDelaySeconds: 1 }
    const request = solSend(stack, { ...soon, mode: 'exact_out', sourceAssetId: NATIVE_MINT })
    const survivor = openSurvivor(askedFor(request))
    const state = await stopAt('deposited', survivor)
    const ended = await transfer({ ...base, save: survivor.save, state })
    expect(ended).toMatchObject({ outcome: 'delivered', status: { final: true } })
    const received = await lamportsOf(stack, request.recipientAddress as Address)
    expect(`${received}`).toBe(request.amount)
    const again = await transfer({ ...base, save: survivor.save, state: survivor.read() })
    expect(again).toEqual(ended)
  })
})
