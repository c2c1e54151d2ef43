import {
  BalanceError,
  isLikeUnrecorded,
  type KeyedPayment,
  type OpenBalanceOptions,
  type UnrecordedPayment,
} from '@sotto/sdk/balance'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { getBase64Decoder } from '@solana/kit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../../../testing/patience/hung.ts'
import type { BalancePhase } from './balance-phase.ts'
import { BalanceRun } from './balance-run.ts'
import { readPayment } from './payment-form.ts'
import { readTopUp } from './top-up-form.ts'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const CONFIG = { cluster: 'localnet', programId: USDC, rpcUrl: 'http://node.invalid' } as const
const DECIMALS = 6

const listed = (decimals: number) =>
  [{ assetId: USDC, symbol: 'USDC', decimals }] as unknown as readonly Token[]
const payment = { to: USDC, amount: '50000000', mode: 'exact_out' } as const
const quoted = { quote: { amountIn: '50100000', amountOut: '50000000', fee: '100000' } }

/** The payments for which quotes were accepted. */
let accepted: string[]
/** The members in which the quote at the time of the payment differs from the quote that the person has seen. */
let changed: Partial<typeof quoted.quote>
/** The payments that the chain shows, but that the balance's store has no record of. */
let unrecorded: readonly UnrecordedPayment[]
/** The payment that the chain shows instead of an interrupted one. The balance finds it when it is opened. */
let replacedBy: UnrecordedPayment | undefined
/** True once the browser's data was deleted. */
let isDeleted: boolean

vi.mock('./own-balances.ts', () => ({
  readBalance: async () =>
    isDeleted ? undefined : { stored: { assetId: USDC, payments: [], unrecorded } },
  watchedStore: () => ({}),
}))
/** A balance that pays as soon as its owner accepts the quote. */
vi.mock('@sotto/sdk/balance', async (original) => ({
  ...(await original<object>()),
  openBalance: async ({ approve }: OpenBalanceOptions) => {
    const pay = async ({ amount = 'rest', to = '', except = [] }: Partial<KeyedPayment>) => {
      const isLike = (one: UnrecordedPayment) => isLikeUnrecorded(one, { to, amount })
      const unused = [...except]
      const isChecked = ({ signature }: UnrecordedPayment) => {
        const at = unused.indexOf(signature)
        return at >= 0 && unused.splice(at, 1).length === 1
      }
      const left = unrecorded.filter((one) => !isLike(one) || !isChecked(one))
      if (left.some(isLike)) throw new BalanceError('PAYMENT_UNCERTAIN', 'made before')
      const now = { quote: { ...quoted.quote, ...changed } }
      if (!(await approve(now as QuoteResponse))) throw new Error('declined')
      accepted.push(amount)
      unrecorded = left
      return {}
    }
    if (replacedBy !== undefined) {
      unrecorded = [...unrecorded, replacedBy]
      replacedBy = undefined
      throw new BalanceError('PAYMENT_UNCERTAIN', 'made before')
    }
    return { resume: async () => undefined, state: async () => ({}), send: pay, close: pay }
  },
}))

/** Opens a balance of a token on a page to which the service reports these tokens. */
async function opened(tokens: readonly Token[]) {
  const { run, ended } = await opening(tokens)
  expect(await ended()).toMatchObject({ kind: 'ready' })
  return { run, ended }
}

async function opening(tokens: readonly Token[]) {
  const phases: BalancePhase[] = []
  /** Resolves to the phase at the end of an operation. */
  const ended = () =>
    vi.waitFor(
      () => {
        const last = phases.at(-1)!
        expect(last.kind).toMatch(/^(ready|paid|problem|repriced|uncertain)$/)
        return last
      },
      { timeout: HUNG_MS },
    )
  const run = new BalanceRun('one', CONFIG, tokens, (phase) => phases.push(phase))
  await run.open()
  return { run, ended }
}

beforeEach(() => {
  accepted = []
  changed = {}
  unrecorded = []
  replacedBy = undefined
  isDeleted = false
  const mint = new Uint8Array(82).fill(DECIMALS, 44, 45).fill(1, 45, 46)
  const value = [{ owner: TOKEN_PROGRAM, data: [getBase64Decoder().decode(mint), 'base64'] }]
  const result = { context: { slot: 1 }, value }
  vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: '1', result }))
  vi.stubGlobal('location', { origin: 'http://page.invalid' })
  const request = async (_name: string, _options: object, use: (lock: object) => unknown) =>
    void use({})
  vi.stubGlobal('navigator', { locks: { request } })
})
afterEach(() => vi.unstubAllGlobals())

describe('an amount that was typed for a payment from a balance', () => {
  it('is paid if the chain has the decimals with which it was typed', async () => {
    const { run, ended } = await opened(listed(DECIMALS))
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'paid' })
    expect(accepted).toEqual(['50000000'])
  })

  it.each([
    ['other decimals', listed(DECIMALS + 1)],
    ['no such asset', []],
  ])('is not signed if the service reported %s', async (_, tokens) => {
    const { run, ended } = await opened(tokens)
    const title = expect.stringContaining('Do not sign') as string
    const refused = { kind: 'problem', problem: { title, canRetry: false } }
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject(refused)
    run.takeBack(quoted as QuoteResponse, USDC, '50100000', 0n)
    expect(await ended()).toMatchObject(refused)
    expect(accepted).toEqual([])
  })

  it('is not read as base units if the service does not list the asset', () => {
    const values = { amount: '50', recipient: USDC, mode: 'exact_out' } as const
    const read = readPayment(values, { assetId: USDC } as never, undefined)
    expect(read).toMatchObject({ payment: undefined, request: undefined })
    expect(read.errors.amount).toContain('does not list')
    const topUp = { assetId: USDC, amount: '50', life: 'day' } as const
    expect(readTopUp(topUp, undefined, USDC, '00')).toMatchObject({
      ...{ request: undefined, topUp: undefined },
    })
  })
})

describe('a payment whose price changed after the person had seen it', () => {
  it.each([
    ['costs less', { amountIn: '50050000', fee: '50000' }],
    ['delivers more', { amountOut: '50050000', fee: '50000' }],
  ])('is made without another question if it %s', async (_, cheaper) => {
    const { run, ended } = await opened(listed(DECIMALS))
    changed = cheaper
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'paid' })
  })

  it.each([
    ['costs more', { amountIn: '50100001', fee: '100001' }],
    ['delivers less', { amountOut: '49999999', fee: '100001' }],
  ])('is made only after another question if it %s', async (_, dearer) => {
    const { run, ended } = await opened(listed(DECIMALS))
    changed = dearer
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'repriced' })
    expect(accepted).toEqual([])
  })
})

describe('a payment like one that the chain shows, but this browser has no record of', () => {
  const made = { to: payment.to, payout: payment.amount, signature: null }

  it('is not made unless the person agrees', async () => {
    unrecorded = [made]
    const { run, ended } = await opened(listed(DECIMALS))
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'uncertain', payment, made })
    run.answer(false)
    await vi.waitFor(async () => expect((await ended()).kind).not.toBe('uncertain'))
    expect([accepted, unrecorded]).toEqual([[], [made]])
  })

  it('is made once more if the person agrees, and the page then forgets the payment on the chain', async () => {
    unrecorded = [made]
    const { run, ended } = await opened(listed(DECIMALS))
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'uncertain' })
    run.answer(true)
    await vi.waitFor(async () => expect(await ended()).toMatchObject({ kind: 'paid' }))
    expect([accepted, unrecorded]).toEqual([[payment.amount], []])
  })

  it('is not made before the person has agreed about each equal payment on the chain', async () => {
    const others = ['one', 'two'].map((signature) => ({ ...made, signature }))
    unrecorded = others
    const { run, ended } = await opened(listed(DECIMALS))
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'uncertain', made: others[0] })
    run.answer(true)
    await vi.waitFor(async () =>
      expect(await ended()).toMatchObject({ kind: 'uncertain', made: others[1] }),
    )
    run.answer(false)
    await vi.waitFor(async () => expect((await ended()).kind).not.toBe('uncertain'))
    expect([accepted, unrecorded]).toEqual([[], others])
  })

  it('is not made before the person has agreed about each of two equal payments with one signature', async () => {
    const twice = [1, 2].map(() => ({ ...made, signature: 'one' }))
    unrecorded = twice
    const { run, ended } = await opened(listed(DECIMALS))
    run.pay(payment, quoted as QuoteResponse)
    const first = await ended()
    expect(first).toMatchObject({ kind: 'uncertain', made: twice[0] })
    run.answer(true)
    await vi.waitFor(async () => {
      const second = await ended()
      expect(second).not.toBe(first)
      expect(second).toMatchObject({ kind: 'uncertain', made: twice[1] })
    })
    expect(accepted).toEqual([])
    run.answer(true)
    await vi.waitFor(async () => expect(await ended()).toMatchObject({ kind: 'paid' }))
    expect([accepted, unrecorded]).toEqual([[payment.amount], []])
  })

  it('is made without a question if another payee was paid', async () => {
    unrecorded = [{ ...made, to: TOKEN_PROGRAM }]
    const { run, ended } = await opened(listed(DECIMALS))
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject({ kind: 'paid' })
    expect(unrecorded).toHaveLength(1)
  })
})

describe('an interrupted payment, if the chain shows an equal payment instead', () => {
  it('is reported with the transaction of the equal payment, and the balance can be opened again', async () => {
    const older = { to: payment.to, payout: payment.amount, signature: 'older' }
    unrecorded = [older]
    replacedBy = { ...older, signature: 'newest' }
    const { run, ended } = await opening(listed(DECIMALS))
    const { problem } = (await ended()) as Extract<BalancePhase, { kind: 'problem' }>
    expect(problem).toMatchObject({ code: 'PAYMENT_UNCERTAIN', canRetry: true })
    expect(problem.details).toEqual(['Transaction: newest'])
    expect(JSON.stringify(problem)).not.toContain('unchanged')
    run.again()
    await vi.waitFor(async () => expect(await ended()).toMatchObject({ kind: 'ready' }))
  })
})

describe('a balance whose data the browser has deleted', () => {
  const gone = { kind: 'problem', problem: { code: 'NO_BALANCE', canRetry: false } }

  it('is opened with its file, because this browser keeps nothing of it', async () => {
    isDeleted = true
    const { ended } = await opening(listed(DECIMALS))
    const { problem } = (await ended()) as Extract<BalancePhase, { kind: 'problem' }>
    expect({ kind: 'problem', problem }).toMatchObject(gone)
    expect(problem.nextStep).toContain('balance file')
    expect(JSON.stringify(problem)).not.toMatch(/browser keeps|another version/)
  })

  it('signs no payment', async () => {
    const { run, ended } = await opened(listed(DECIMALS))
    isDeleted = true
    run.pay(payment, quoted as QuoteResponse)
    expect(await ended()).toMatchObject(gone)
    expect(accepted).toEqual([])
  })
})
