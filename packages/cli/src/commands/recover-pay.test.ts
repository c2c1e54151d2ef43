import { address } from '@solana/kit'
import {
  amount,
  encodeTicket,
  NATIVE_MINT,
  ownerOf,
  unixSeconds,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { BalancePayment, Landing, LandingStep } from '@sotto/recovery'
import type { CliContext } from '../context.ts'
import type { PayOptions } from './recover-pay.ts'

const OWNER = 3n
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const NULLIFIER = address('SysvarRent111111111111111111111111111111111')
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const ticket: Ticket = {
  ...{ program: USDC, orderId: new Uint8Array(16), secret: OWNER },
  note: {
    ...{ nk: 7n, sender: USDC, mint: USDC, value: amount(5_000_000n) },
    claim: { kind: 'balance', owner: ownerOf(OWNER) },
    ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
  },
}

const landed: bigint[] = []
/** For each payment: the Nullifier accounts of the notes with which earlier commands have tried to make it. */
const tried: (readonly string[])[] = []
/** For each payment: true if recovery skips the check of the node's clock. */
const unchecked: (boolean | undefined)[] = []
vi.mock('@sotto/recovery', async (original) => ({
  ...(await original<object>()),
  landPayment: async (payment: BalancePayment, { onStep }: Landing) => {
    tried.push(payment.tried ?? [])
    unchecked.push(payment.isLocalChain)
    onStep?.({ kind: 'signed', nullifier: NULLIFIER } as LandingStep)
    landed.push(payment.payout)
    return { ticket, signature: 'the signature' }
  },
}))

// Another test file in this process may already have loaded the module with the real recovery.
vi.resetModules()
const { runPay } = await import('./recover-pay.ts')
afterAll(() => vi.resetModules())

let home: string
const asked: string[] = []
const shown: string[] = []
/** The results in JSON. */
const printed: string[] = []
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-recover-pay-'))
})
beforeEach(() => {
  for (const list of [landed, asked, shown, printed, tried, unchecked]) list.length = 0
})
afterAll(() => rm(home, { recursive: true }))

interface Scene {
  /** The decimals that the node shows; undefined if it shows no mint. */
  readonly decimals?: number
  /** The person's answer; undefined if there is no terminal. */
  readonly answer?: boolean
  readonly native?: boolean
  /** True if the user says that the chain is a local one. */
  readonly isLocalChain?: boolean
}

async function pay(
  scene: Scene,
  options: Omit<PayOptions, 'to'>,
  to: Address = USDC,
): Promise<void> {
  const file = join(home, 'ticket')
  const note = { ...ticket.note, ...(scene.native === true ? { mint: NATIVE_MINT } : {}) }
  await writeFile(file, encodeTicket({ ...ticket, note }))
  const data = new Uint8Array(82)
  data.set([scene.decimals ?? 0, 1], 44)
  const mint = { owner: TOKEN_PROGRAM, data: [Buffer.from(data).toString('base64'), 'base64'] }
  // Several nodes may share one address. One of them may lack the mint even if the next one has it.
  const getAccountInfo = (account: string) => {
    asked.push(account)
    const value = scene.decimals === undefined ? null : mint
    return { send: async () => ({ context: { slot: 1n }, value }) }
  }
  const output = {
    ...{ isInteractive: scene.answer !== undefined, progress: { doing: () => undefined } },
    note: (text: string) => shown.push(text),
    record: () => undefined,
    ask: async () => scene.answer,
    result: (value: object, show: () => string) => {
      const withBigints = (_name: string, one: unknown) =>
        typeof one === 'bigint' ? `${one}` : one
      printed.push(JSON.stringify(value, withBigints))
      shown.push(show())
    },
  }
  const context = {
    ...{
      output,
      settings: { home, rpcUrl: 'http://127.0.0.1:1', isLocalChain: scene.isLocalChain === true },
      signal: new AbortController().signal,
    },
    ...{ signer: async () => ({}), rpc: async () => ({ getAccountInfo }) },
  } as unknown as CliContext
  await runPay(context, file, { to, ...options })
}

it('does not read an amount as base units if the node does not show the mint', async () => {
  await expect(pay({}, { amount: '5' })).rejects.toMatchObject({
    ...{ code: 'MINT_MISSING', exitCode: 6 },
  })
  expect(asked).toEqual([USDC])
})

it.each([false, true])(
  'checks the clock of a local node unless its chain is local: %s',
  async (isLocalChain) => {
    await pay({ decimals: 6, answer: true, isLocalChain }, { amount: '1.5' })
    expect(unchecked).toEqual([isLocalChain])
  },
)

it('shows the base units and signs nothing if the person declines', async () => {
  const declined = pay({ decimals: 8, answer: false }, { amount: '1.5' })
  await expect(declined).rejects.toMatchObject({ code: 'DECLINED', exitCode: 8 })
  expect(shown.join('\n')).toMatch(/1\.5\n.*\b8\b.*\n.*\b150000000\b/)
  expect(landed).toEqual([])
})

it('pays an amount in whole coins if the person accepts the base units', async () => {
  await pay({ decimals: 6, answer: true }, { amount: '1.5' })
  expect(landed).toEqual([1_500_000n])
  expect(shown.at(-1)).toMatch(/amount, base units +1500000\n/)
})

it('refuses an amount of a token in whole coins if there is no terminal', async () => {
  const refused = pay({ decimals: 8 }, { amount: '1.5' })
  await expect(refused).rejects.toMatchObject({ code: 'NOBODY_TO_ASK', exitCode: 2 })
  expect(landed).toEqual([])
})

it('pays an amount in base units without a question and without the node’s decimals', async () => {
  await pay({ decimals: 8 }, { baseUnits: amount(1_500_000n) })
  expect([landed, asked]).toEqual([[1_500_000n], []])
})

it('keeps the ticket of the rest in a private file, and prints only its path', async () => {
  await pay({}, { baseUnits: amount(1n) })
  const file = join(home, 'recover', `tr_${'A'.repeat(22)}.the signature.ticket`)
  expect(JSON.parse(printed[0]!)).toMatchObject({ left: '5000000', ticket: file })
  expect(shown[0]).toContain(join(home, 'recover'))
  expect(printed.join() + shown.join()).not.toContain('sotto2_')
  expect((await readFile(file, 'utf8')).trim()).toBe(encodeTicket(ticket))
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  // If the file can't be written, the payment was nevertheless made.
  await rm(file)
  await mkdir(file)
  await pay({}, { baseUnits: amount(2n) })
  expect(JSON.parse(printed[1]!)).toMatchObject({ kind: 'pay', ticket: null })
  expect(shown[1]).toContain('could not be saved')
  await rm(file, { recursive: true })
})

it('pays an amount of SOL without a question', async () => {
  await pay({ native: true }, { amount: '1.5' })
  expect([landed, asked]).toEqual([[1_500_000_000n], []])
})

it.each([[{}], [{ amount: '1', baseUnits: amount(1n) }]])(
  'requires exactly one amount: %o',
  async (options) => {
    await expect(pay({ decimals: 6, answer: true }, options)).rejects.toMatchObject({
      ...{ code: 'AMOUNT_INVALID', exitCode: 2 },
    })
  },
)

it('remembers with which note an earlier command tried to make the same payment', async () => {
  const same = { baseUnits: amount(77n) }
  await pay({}, same)
  await pay({}, same)
  await pay({}, { baseUnits: amount(78n) })
  await pay({}, same, NULLIFIER)
  await pay({}, { ...same, again: ['unknown'] })
  expect(tried).toEqual([[], [NULLIFIER], [], [], [NULLIFIER]])
  const file = join(home, 'recover', 'signed-payments.jsonl')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  // A crash may have cut off the last line.
  await appendFile(file, '{"payee":"')
  await pay({}, same)
  await pay({}, same)
  expect(tried.at(-1)).toEqual([NULLIFIER])
})
