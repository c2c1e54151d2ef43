import {
  encodeTicket,
  MAX_DEPOSIT_SECONDS,
  poolAddress,
  unixSeconds,
  type Address,
} from '@sotto/protocol'
import type { TransferState } from '@sotto/sdk/wallet'
import { getAddressEncoder } from '@solana/kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { saveTransfer } from './saved-transfer.ts'
import { pageService, UnreachableError } from './service.ts'
import type { Phase } from './transfer-phase.ts'
import { TransferRun } from './transfer-run.ts'

const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
const WALLET = 'SysvarRent111111111111111111111111111111111' as Address
const CLOCK = 'SysvarC1ock11111111111111111111111111111111' as Address
const SOL = 'So11111111111111111111111111111111111111112' as Address
const CONFIG = { cluster: 'localnet', programId: PROGRAM, rpcUrl: 'http://node.invalid' } as const
const EXPIRY = 1_800_003_600n
const DEADLINE = EXPIRY - MAX_DEPOSIT_SECONDS
const TWO_HOURS = 7_200n

const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()
const orderId = new Uint8Array(16).fill(7)
const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`
const note = {
  ...{ nk: 2n ** 200n + 5n, sender: WALLET, mint: SOL, value: 10n as never },
  claim: { kind: 'transfer', recipient: WALLET, amountOut: 9n as never },
  ...{ deadline: unixSeconds(DEADLINE), expiry: unixSeconds(EXPIRY) },
} as const
const recovery = encodeTicket({ program: PROGRAM, orderId, note })
/** A transfer that is paid. */
const paid = {
  ...{ step: 'deposited', signature: null, leafIndex: '3', transferId: 'one', quote: {} },
  request: { senderAddress: WALLET, recipientAddress: WALLET },
  order: { trackingId, recovery, expiration: isoOf(DEADLINE), deliverBy: isoOf(EXPIRY) },
} as unknown as TransferState

function account(owner: string, size: number, write: (data: Buffer) => void) {
  const data = Buffer.alloc(size)
  write(data)
  return { owner, data: [data.toString('base64'), 'base64'] }
}

const clock = account('Sysvar1111111111111111111111111111111111111', 40, (data) =>
  data.writeBigInt64LE(EXPIRY + TWO_HOURS, 32),
)
const order = account(PROGRAM, 56, (data) => {
  data.writeUInt8(4, 0)
  data.writeBigInt64LE(DEADLINE, 8)
  data.writeBigUInt64LE(3n, 16)
  data.set(getAddressEncoder().encode(WALLET), 24)
})

const pool = account(PROGRAM, 176, (data) => data.writeUInt8(1, 0))

/** The response of a node that shows a paid, overdue note. The first account that the page requests is the order's. */
async function nodeAnswer(body: string): Promise<Response> {
  const poolOfProgram = await poolAddress(PROGRAM)
  const { id, params } = JSON.parse(body) as { id: string; params: [string[]] }
  const value = params[0].map((address) => {
    if (address === CLOCK) return clock
    if (address === poolOfProgram) return pool
    orderAccount ??= address
    return address === orderAccount ? order : null
  })
  return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } })
}

/** A service that accepts a request and never answers. The request ends only if the page ends it. */
const never = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

/** A response whose body never ends. */
const neverEnding = (signal: AbortSignal | null | undefined): Response => {
  const start = (controller: ReadableStreamDefaultController) => {
    controller.enqueue(new TextEncoder().encode('{"order":'))
    signal?.addEventListener('abort', () => controller.error(signal.reason))
  }
  return new Response(new ReadableStream({ start }))
}

let orderAccount: string | undefined
beforeEach(() => {
  orderAccount = undefined
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('location', { origin: 'http://page.invalid' })
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Lets up to three hours of the page's timers pass, in steps of a second, until `isOver`. */
async function pass(isOver: () => boolean): Promise<void> {
  for (let second = 0; second < 10_800 && !isOver(); second += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
  }
}

it.each([
  ['never answers', async (signal?: AbortSignal | null) => never(signal)],
  ['never ends its answer', async (signal?: AbortSignal | null) => neverEnding(signal)],
])('says that the money is overdue even if the service %s', async (_what, answer) => {
  vi.stubGlobal('fetch', async (url: string, { body, signal }: RequestInit) =>
    url.includes('/send/api') ? answer(signal) : nodeAnswer(body as string),
  )
  await saveTransfer(paid)
  const phases: Phase[] = []
  new TransferRun(CONFIG, [], (phase) => phases.push(phase)).resume(paid, undefined)
  await pass(() => phases.at(-1)?.kind === 'problem')
  expect(phases.at(-1)).toMatchObject({
    ...{ kind: 'problem', state: paid },
    problem: { title: expect.stringContaining('has not sent') as string },
  })
})

it.each(['hintDeposit', 'signPayment', 'status', 'quote'] as const)(
  'counts a service that never answers as unreachable (%s)',
  async (method) => {
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => never(signal))
    let ended: unknown
    const call = pageService(() => undefined)[method] as (...args: unknown[]) => Promise<unknown>
    void call(trackingId, {}, {}).catch((error: unknown) => {
      ended = error
    })
    await pass(() => ended !== undefined)
    expect(ended).toBeInstanceOf(UnreachableError)
  },
)

it('ends a request with the reason of the caller who ends it', async () => {
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => never(signal))
  const stop = new AbortController()
  const asked = pageService(() => undefined).status(trackingId, { signal: stop.signal })
  stop.abort(new Error('the person left'))
  await expect(asked).rejects.toThrow('the person left')
})
