import { generateKeyPairSigner, type Signature } from '@solana/kit'
import { amount, type Ticket } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import {
  landNote,
  landPayment,
  type LandingError,
  type LandingStep,
  type RecoveryRpc,
} from '../index.ts'
import type { Verdict } from './congested-rpc.ts'
import { LandingStage, VALUE } from './landing-stage.ts'

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

const deposit = (kind: 'balance' | 'transfer') => stage.deposit(kind)
const through = (ticket: Ticket, ...verdicts: Verdict[]) => stage.through(ticket, ...verdicts)

type SendOptions = { readonly abortSignal?: AbortSignal }
type Sendable = { readonly send: (options?: SendOptions) => Promise<unknown> }

const kinds = (steps: readonly LandingStep[]) =>
  steps.map(({ kind, attempt }) => `${attempt} ${kind}`)

it('makes a dead delivery again with a higher fee', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested, steps } = await through(ticket, 'drop', 'drop', 'land')
  const { claim } = ticket.note
  const held = () => (claim.kind === 'transfer' ? stage.fixture.chain.balance(claim.recipient) : 0n)
  const before = held()
  const signature = await landNote({ ...use, kind: 'deliver' }, landing)
  expect(held() - before).toBe(VALUE)
  expect(congested.prices).toEqual([1_024n, 4_096n, 16_384n])
  const arrivals = [...congested.arrivals]
  expect(arrivals.at(-1)).toEqual([signature, 1])
  for (const [, times] of arrivals.slice(0, -1)) expect(times).toBeGreaterThan(1)
  // The same bytes are sent until the last valid height. Once they are proven dead, they are never sent again.
  expect(kinds(steps).filter((step) => !step.endsWith('again'))).toEqual([
    ...['1 signed', '1 dead', '2 signed', '2 dead', '3 signed'],
  ])
  expect(steps.map(({ priorityFeeLamports }) => priorityFeeLamports)).toContain(4_096n)
})

it('says that nothing was paid if even a settlement at the greatest fee is dead', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested } = await through(ticket)
  const limits = { priorityFeeMaxLamports: amount(1_024n) }
  const { chain } = stage.fixture
  // The last proof's time passes while its transaction is dropped.
  const onStep = ({ kind, attempt }: LandingStep) => {
    if (kind === 'dead' && attempt === 2) chain.setTime(chain.time + 1_200n)
  }
  const dead = landNote({ ...use, ...limits, kind: 'deliver' }, { ...landing, onStep })
  await expect(dead).rejects.toMatchObject({
    code: 'SETTLEMENT_DEAD',
    message: expect.stringContaining('1024 lamports'),
  })
  expect(congested.prices).toEqual([1_024n, 4_096n])
})

it.each([{ again: false }, { again: true }])(
  'pays once if the payment landed although the node called it dead: %o',
  async ({ again }) => {
    const ticket = await deposit('balance')
    const { use, landing, congested } = await through(ticket, 'hidden', 'land')
    const payee = (await generateKeyPairSigner()).address
    const request = { ...use, payee, payout: amount(300_000_000n), again }
    const paid = await landPayment(request, landing)
    expect([...congested.arrivals.keys()]).toEqual([paid.signature])
    expect(stage.fixture.chain.balance(payee)).toBe(300_000_000n)
    expect(paid.ticket.note.value).toBe(ticket.note.value - 300_000_000n)
  },
)

it('does not pay twice if a node shows a false signature of the payment', async () => {
  const ticket = await deposit('balance')
  const { use, landing, congested } = await through(ticket, 'hidden', 'land')
  const falsely = (signature: Signature) => [{ signature, slot: 1n, err: null, blockTime: null }]
  const rpc = new Proxy(congested.rpc, {
    get: (whole, key) => {
      if (key === 'getSignaturesForAddress') {
        return () => ({ send: async () => falsely('false' as Signature) })
      }
      if (key !== 'getTransaction') return Reflect.get(whole, key) as unknown
      return () => ({ send: async () => stage.node.sent.at(-1)?.record ?? null })
    },
  })
  const payee = (await generateKeyPairSigner()).address
  const request = { ...use, rpc, payee, payout: amount(300_000_000n), again: true }
  await expect(landPayment(request, landing)).rejects.toMatchObject({ code: 'PAID_BEFORE' })
  expect(stage.fixture.chain.balance(payee)).toBe(300_000_000n)
})

/** A node whose requests take time once `from` returns true. For each of these requests, `pass` advances the clock. */
function slowly(rpc: RecoveryRpc, pass: () => void, from: () => boolean): RecoveryRpc {
  return new Proxy(rpc, {
    get: (whole, key) => {
      const method = Reflect.get(whole, key) as (...all: unknown[]) => Sendable
      return (...all: unknown[]) => ({
        send: (options?: SendOptions) => {
          if (from()) pass()
          return method.apply(whole, all).send(options)
        },
      })
    },
  })
}

it.each([0, 20_000])(
  'signs no second settlement while the first may land, if each request takes %d ms',
  async (requestMs) => {
    const ticket = await deposit('transfer')
    const { use, congested, steps, landing } = await through(ticket, 'drop')
    let passedMs = 0
    const sleep = async (ms: number) => void (passedMs += ms)
    const pass = () => void (passedMs += requestMs)
    const rpc = slowly(congested.rpc, pass, () => steps.length > 0)
    const clock = { sleep, nowMs: () => passedMs }
    const waiting = landNote({ ...use, rpc, kind: 'deliver' }, { ...landing, ...clock })
    const [signature] = await waiting.then(
      () => expect.fail('it cannot have landed'),
      (error: LandingError) => {
        expect(error).toMatchObject({ code: 'SETTLEMENT_UNKNOWN' })
        expect(error.message).toContain(error.signature)
        return [error.signature]
      },
    )
    expect([...congested.arrivals.keys()]).toEqual([signature])
    expect(passedMs).toBeGreaterThanOrEqual(300_000)
    // A request that began within the five minutes is still finished. Its own time limit doesn't use this clock.
    expect(passedMs).toBeLessThanOrEqual(300_000 + 500 + 5 * requestMs)
  },
)

it('reports the signature before the settlement is sent', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested } = await through(ticket, 'land')
  const arrivals: number[] = []
  const onStep = () => void arrivals.push(congested.arrivals.size)
  await landNote({ ...use, kind: 'deliver' }, { ...landing, onStep })
  expect(arrivals).toEqual([0])
})

it('sends nothing after an interruption before the signature', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested } = await through(ticket, 'land')
  const stopping = new AbortController()
  const prove = (inputs: Parameters<typeof use.prove>[0]) => {
    stopping.abort(new Error('stopped'))
    return use.prove(inputs)
  }
  const { signal } = stopping
  const stopped = landNote({ ...use, prove, kind: 'deliver' }, { ...landing, signal })
  await expect(stopped).rejects.toThrow('stopped')
  expect(congested.arrivals.size).toBe(0)
})

it('reports the signature if an interruption ends a request that hangs', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested } = await through(ticket, 'drop')
  const stopping = new AbortController()
  const rpc = new Proxy(congested.rpc, {
    get: (whole, key) =>
      key === 'getSignatureStatuses'
        ? () => ({ send: hanging })
        : (Reflect.get(whole, key) as unknown),
  })
  const hanging = ({ abortSignal }: SendOptions) =>
    new Promise((_resolve, reject) => {
      abortSignal!.addEventListener('abort', () => reject(new Error('aborted')))
      stopping.abort()
    })
  const { signal } = stopping
  const stopped = landNote({ ...use, rpc, kind: 'deliver' }, { ...landing, signal })
  const [signature] = await stopped.then(
    () => expect.fail('it was stopped'),
    ({ code, signature: sent }: LandingError) => {
      expect(code).toBe('SETTLEMENT_UNKNOWN')
      return [sent]
    },
  )
  expect([...congested.arrivals.keys()]).toEqual([signature])
})

it('proves against another root if the first root was overwritten', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested } = await through(ticket, 'stale', 'land')
  const signature = await landNote({ ...use, kind: 'deliver' }, landing)
  expect([...congested.arrivals.keys()].at(-1)).toBe(signature)
  expect(congested.prices).toEqual([1_024n, 1_024n])
})

it('goes on waiting while the node does not answer', async () => {
  const ticket = await deposit('transfer')
  const { use, landing, congested } = await through(ticket, 'land')
  const failing = new Set(['sendTransaction', 'getSignatureStatuses', 'getEpochInfo'])
  let failures = 20
  const rpc = new Proxy(congested.rpc, {
    get: (whole, key) =>
      failing.has(String(key)) && (failures -= 1) > 0
        ? () => ({ send: () => Promise.reject(new TypeError('fetch failed')) })
        : (Reflect.get(whole, key) as unknown),
  })
  const signature = await landNote({ ...use, rpc, kind: 'deliver' }, landing)
  expect([...congested.arrivals.keys()]).toEqual([signature])
})
