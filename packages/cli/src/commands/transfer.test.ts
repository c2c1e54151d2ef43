import { getAddressEncoder } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { SottoTransportError } from '@sotto/sdk/server'
import type { TransferState } from '@sotto/sdk/wallet'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import {
  contextIn,
  failureOf,
  isoOf,
  keepIn,
  NAMED,
  OPTIONS,
  PROGRAM,
  QUOTED,
  REQUEST,
  SENDER,
  TOKEN,
  unreachable,
  type Scene,
} from '../../tests/test-transfer.ts'
import { explainFailure } from '../explain-failure.ts'
import { listStates } from '../transfers/state-file.ts'
import { runResume, runTransfer } from './transfer.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-transfer-'))
})
afterEach(() => rm(home, { recursive: true }))

const contextOf = (scene: Scene) => contextIn(home, scene)
const keep = (state: TransferState) => keepIn(home, state)

const DEADLINE = 1_800_000_000n
const DELIVER_BY = 1_800_003_000n

const orderId = new Uint8Array(16).fill(7)
const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`
const recovery = encodeTicket({
  ...{ program: PROGRAM, orderId },
  note: {
    ...{ nk: 7n, sender: SENDER, mint: NATIVE_MINT, value: 10n as never },
    claim: { kind: 'transfer', recipient: REQUEST.recipientAddress, amountOut: 9n as never },
    ...{ deadline: unixSeconds(DEADLINE), expiry: unixSeconds(DELIVER_BY) },
  },
})
const DEPOSITED = {
  ...{ step: 'deposited', transferId: 'id', signature: null, leafIndex: '3', request: REQUEST },
  order: {
    ...{ trackingId, recovery, eta: 10 },
    ...{ expiration: isoOf(DEADLINE), deliverBy: isoOf(DELIVER_BY) },
  },
} as unknown as TransferState

const accountOf = (owner: string, data: Buffer) => ({
  ...{ owner, data: [data.toString('base64'), 'base64'] },
})

function orderAccount() {
  const data = Buffer.alloc(56)
  data.writeUInt8(4, 0)
  data.writeBigInt64LE(DEADLINE, 8)
  data.writeBigUInt64LE(3n, 16)
  data.set(getAddressEncoder().encode(SENDER), 24)
  return accountOf(PROGRAM, data)
}

/** A node that shows this time, these accounts, one for each read, and the program's Pool. */
function nodeAt(seconds: bigint, ...accounts: readonly object[]) {
  const clock = Buffer.alloc(40)
  clock.writeBigInt64LE(seconds, 32)
  const pool = Buffer.alloc(176)
  pool.writeUInt8(1, 0)
  const shown = [...accounts]
  return {
    getMultipleAccounts: () => ({
      send: async () => ({
        value: [
          accountOf('Sysvar1111111111111111111111111111111111111', clock),
          shown.shift() ?? null,
          accountOf(PROGRAM, pool),
        ],
      }),
    }),
  }
}

it('keeps the state of a transfer with --no-wait, so that --resume can prove its end', async () => {
  await keep(DEPOSITED)
  const { context, results } = contextOf({})
  expect(await runResume(context, undefined, { ...OPTIONS, wait: false })).toBe(0)
  expect(results).toMatchObject([{ outcome: 'paid', trackingId }])
  expect(await listStates(home)).toEqual(['1'])
})

it('does not ask for a repetition if the service fails after the deposit', async () => {
  await keep(DEPOSITED)
  const { context } = contextOf({
    client: { hintDeposit: unreachable, status: unreachable },
    rpc: nodeAt(DEADLINE, orderAccount()),
  })
  const failure = await failureOf(runResume(context, '1', OPTIONS))
  expect(failure).toMatchObject({ code: 'SERVICE_UNREACHABLE', exitCode: 11 })
  expect(failure.next).toContain('sotto send --resume 1')
  expect(failure.next).not.toMatch(/again/)
  expect(await listStates(home)).toEqual(['1'])
})

it.each([
  ['the same transfer', {}, {}],
  ['the same transfer with another delay', {}, { maxDelay: 900 }],
  ['the same transfer with a reference', { reference: 'May' }, { reference: 'May' }],
])('refuses %s before any quote while it is unfinished', async (_name, saved, options) => {
  await keep({ ...DEPOSITED, request: { ...REQUEST, ...saved } } as TransferState)
  const quote = () => expect.fail('a quote was requested')
  const failure = await failureOf(
    runTransfer(contextOf({ client: { quote } }).context, NAMED, { ...OPTIONS, ...options }),
  )
  expect(failure).toMatchObject({ code: 'TRANSFER_UNFINISHED', exitCode: 11 })
  expect(failure.next).toContain('sotto send --resume 1')
  expect(failure.next).toContain('--again')
  expect(await listStates(home)).toEqual(['1'])
})

it('requests at most one quote if two equal commands start at the same time', async () => {
  let quotes = 0
  // The service never answers, so a command that continues stays unfinished.
  const quote = () => {
    quotes += 1
    return new Promise(() => undefined)
  }
  const start = () => runTransfer(contextOf({ client: { quote } }).context, NAMED, OPTIONS)
  const failures: string[] = []
  for (const running of [start(), start(), start()]) {
    void running.catch((error: { readonly code?: string }) => failures.push(error.code ?? 'none'))
  }
  await vi.waitFor(() => expect(quotes + failures.length).toBe(3), { timeout: HUNG_MS })
  expect(quotes).toBeLessThanOrEqual(1)
  expect(new Set(failures)).toEqual(new Set(['TRANSFER_UNFINISHED']))
  expect(await listStates(home)).toHaveLength(quotes)
})

it('refuses an unfinished swap before the quote that limits its price', async () => {
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const request = { ...REQUEST, mode: 'exact_in', destinationAssetId: usdc, minOut: '1' }
  await keep({ ...DEPOSITED, request } as TransferState)
  const mint = Buffer.alloc(82)
  mint.set([6, 1], 44)
  const value = accountOf('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', mint)
  const { context } = contextOf({
    client: {
      tokens: async () => ({
        tokens: [TOKEN, { ...TOKEN, assetId: usdc, symbol: 'USDC', decimals: 6 }],
      }),
      quote: () => expect.fail('a quote was requested'),
    },
    rpc: { getAccountInfo: () => ({ send: async () => ({ value }) }) },
  })
  const asking = { ...context, output: { ...context.output, isInteractive: true } }
  const options = { wait: true, interval: 1 }
  const failure = await failureOf(runTransfer(asking, { ...NAMED, to: 'USDC' }, options))
  expect(failure).toMatchObject({ code: 'TRANSFER_UNFINISHED', exitCode: 11 })
})

it.each([
  ['the same transfer with --again', {}, { again: true }],
  ['a transfer with another reference', {}, { reference: 'May' }],
  ['a transfer of another amount', { amount: '1500000001' }, {}],
  ['a transfer to another recipient', { recipientAddress: SENDER }, {}],
  ['a transfer whose amount includes the fee', {}, { exactIn: true }],
])('begins %s although a transfer is unfinished', async (_name, saved, options) => {
  await keep({ ...DEPOSITED, request: { ...REQUEST, ...saved } } as TransferState)
  const quote = async () => {
    throw new SottoTransportError('asked for a quote')
  }
  const failure = await failureOf(
    runTransfer(contextOf({ client: { quote } }).context, NAMED, { ...OPTIONS, ...options }),
  )
  expect(failure).toMatchObject({ message: 'asked for a quote', exitCode: 5 })
  expect(await listStates(home)).toEqual(['1'])
})

it('leaves nothing to resume if a new transfer fails before its signature', async () => {
  const { context } = contextOf({ client: { quote: async () => QUOTED, createOrder: unreachable } })
  const failure = await failureOf(runTransfer(context, NAMED, OPTIONS))
  expect(failure).toMatchObject({ code: 'SERVICE_UNREACHABLE', exitCode: 5 })
  expect(await listStates(home)).toEqual([])
})

it('keeps a new transfer that is stopped before its signature', async () => {
  const interruption = new AbortController()
  const createOrder = async () => {
    interruption.abort()
    return unreachable()
  }
  const { context } = contextOf({
    client: { quote: async () => QUOTED, createOrder },
    signal: interruption.signal,
  })
  const stopped = await runTransfer(context, NAMED, OPTIONS).catch((error: unknown) => error)
  expect(explainFailure(stopped, true)).toMatchObject({
    ...{ code: 'INTERRUPTED', exitCode: 130 },
    next: expect.stringContaining('sotto send --resume 1') as string,
  })
  expect(await listStates(home)).toEqual(['1'])
})

const DELIVERED = {
  ...{ step: 'done', request: REQUEST },
  result: { outcome: 'delivered', trackingId, status: null },
} as unknown as TransferState

it('keeps the state of a transfer whose outcome could not be written', async () => {
  await keep(DELIVERED)
  const full = contextOf({ unwritten: new Error('ENOSPC') })
  expect(await runResume(full.context, '1', OPTIONS)).toBe(0)
  expect(await listStates(home)).toEqual(['1'])
  const free = contextOf({})
  expect(await runResume(free.context, '1', OPTIONS)).toBe(0)
  expect(free.results).toMatchObject([{ outcome: 'delivered' }])
  expect(await listStates(home)).toEqual([])
})

it('does not claim that a transfer was not delivered if its end is unknown', async () => {
  await keep({ ...DELIVERED, result: { outcome: 'closed', trackingId } } as TransferState)
  expect(await runResume(contextOf({}).context, '1', OPTIONS)).toBe(6)
})
