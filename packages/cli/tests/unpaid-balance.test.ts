import { NATIVE_MINT } from '@sotto/protocol'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { clientOf } from '../../sdk/tests/attacks/honest-order.ts'
import { Crash } from '../../sdk/tests/balance/crashing.ts'
import { advance, cutAtSend } from '../../sdk/tests/balance/unlanded-deposit.ts'
import { fundedSigner, openBooks } from '../../sdk/tests/transfer/paying.ts'
import { balanceFile } from '../src/balances/balance-files.ts'
import { runBalanceList } from '../src/commands/balance/list.ts'
import { runBalanceOpen, type OpenArguments } from '../src/commands/balance/open.ts'
import { runBalanceSend } from '../src/commands/balance/send.ts'
import type { CliContext } from '../src/context.ts'
import { openOutput } from '../src/output/output.ts'
import { newWallet } from './paying-machine.ts'

const SOL = { amount: '0.5', asset: 'SOL' }
const RESUMED = { amount: undefined, asset: undefined }
const OPTIONS = { yes: true, days: 30, return: true, interval: 0.05 }
const DEADLINE_SECONDS = 2_400

let stack: HttpStack
let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-unpaid-'))
  stack = await startHttpStack()
})
afterAll(async () => {
  await stack?.close()
  await rm(home, { recursive: true })
})

/** The commands of one person with one wallet. */
async function person() {
  const signer = await fundedSigner(stack, 2_000_000_000)
  const contextOf = (more: { readonly output?: object } = {}) => {
    const results: Record<string, unknown>[] = []
    const stream = { write: () => true, isTTY: false }
    const output = {
      ...openOutput({ json: true }, { stdout: stream, stderr: stream, stdin: {} }),
      result: (value: object) => void results.push(value as Record<string, unknown>),
      ...more.output,
    }
    const settings = { home, programId: PROGRAM, rpcUrl: 'http://127.0.0.1:1' }
    const parts = { rpc: stack.rpc, signal: new AbortController().signal, ...more }
    const given = { settings, output, signal: parts.signal, client: async () => clientOf(stack) }
    const context = { ...given, rpc: async () => parts.rpc, signer: async () => signer }
    return { results, context: context as unknown as CliContext }
  }
  const open = async (name: string, named: OpenArguments, more = {}, options = OPTIONS) => {
    const { context, results } = contextOf(more)
    await runBalanceOpen(context, name, named, options)
    return results[0]
  }
  return { signer, contextOf, open, books: await openBooks(stack, signer.address) }
}

const secretOf = async (name: string) =>
  (JSON.parse(await readFile(balanceFile(home, name), 'utf8')) as { secret: string }).secret

it.each([
  ['hour', DEADLINE_SECONDS + 1_200],
  ['days', 2 * 86_400],
])(
  'frees the name of a top-up that was signed but never landed (%s of waiting)',
  async (name, seconds) => {
    const { open, contextOf, books } = await person()
    await expect(open(name, SOL, cutAtSend(stack, false))).rejects.toThrow(Crash)
    const secret = await secretOf(name)
    // The first top-up may still land, so another amount is refused, and the secret stays.
    await expect(open(name, { ...SOL, amount: '0.2' })).rejects.toMatchObject({
      code: 'BALANCE_EXISTS',
    })
    await advance(stack, seconds)
    await expect(open(name, RESUMED)).rejects.toMatchObject({ code: 'NOT_OPENED' })
    expect(await secretOf(name)).toBe(secret)
    const { context, results } = contextOf()
    await runBalanceList(context)
    const { balances } = results[0] as { balances: { balance: string }[] }
    const shown = balances.find(({ balance }) => balance === name)
    expect(shown).toMatchObject({ status: 'unpaid', left: 0n, assetId: NATIVE_MINT })
    const sent = runBalanceSend(
      contextOf().context,
      { name, amount: '0.1', recipient: await newWallet() },
      { yes: true, interval: 0.05 },
    )
    await expect(sent).rejects.toMatchObject({
      code: 'BALANCE_NOT_OPENED',
      next: expect.stringContaining(`sotto balance open ${name} <amount> <asset>`) as string,
    })
    await expect(open(name, RESUMED)).rejects.toMatchObject({
      code: 'ARGUMENT_MISSING',
      message: expect.stringContaining('was never paid') as string,
    })
    expect(await books.spent()).toBe(0n)

    const opened = await open(name, { ...SOL, amount: '0.2' })
    expect(opened).toMatchObject({ kind: 'opened', status: 'open', value: 200_000_000n })
    const spent = await books.spent()
    expect(spent > 200_000_000n && spent < 205_000_000n).toBe(true)
  },
)

it('opens the balance after a crash if the top-up landed', async () => {
  const { open, books } = await person()
  await expect(open('landed', SOL, cutAtSend(stack, true))).rejects.toThrow(Crash)
  await advance(stack, DEADLINE_SECONDS + 1_200)
  await expect(open('landed', { ...SOL, amount: '0.2' })).rejects.toMatchObject({
    code: 'BALANCE_EXISTS',
  })
  expect(await open('landed', RESUMED)).toMatchObject({ status: 'open', value: 500_000_000n })
  expect(await books.spent()).toBeLessThan(505_000_000n)
})

/** A node that fails as soon as the balance of this name is opened. */
function failingOnceOpen(name: string): typeof stack.rpc {
  const assertUnopened = async () => {
    const { topUp } = JSON.parse(await readFile(balanceFile(home, name), 'utf8')) as {
      topUp: unknown
    }
    if (topUp === null) throw new TypeError('fetch failed')
  }
  return new Proxy(stack.rpc, {
    get: (rpc, method) => {
      // An object with a method `then` would be taken for a promise.
      if (method === 'then') return undefined
      const call = Reflect.get(rpc, method) as (...args: unknown[]) => {
        send: (o: object) => unknown
      }
      return (...args: unknown[]) => ({
        send: async (options: object) => {
          await assertUnopened()
          return call(...args).send(options)
        },
      })
    },
  })
}

it('shows the balance if the command is repeated because the node failed after the deposit', async () => {
  const { open, books } = await person()
  const failed = open('unshown', SOL, { rpc: failingOnceOpen('unshown') })
  await expect(failed).rejects.toThrow('fetch failed')
  const other = { ...SOL, amount: '0.2' }
  await expect(open('unshown', other)).rejects.toMatchObject({ code: 'BALANCE_EXISTS' })
  // A result that can't be written was not shown.
  const unwritten = { written: async () => new Error('ENOSPC') }
  expect(await open('unshown', SOL, { output: unwritten })).toMatchObject({ kind: 'opened' })
  expect(await open('unshown', SOL)).toMatchObject({ kind: 'opened', value: 500_000_000n })
  await expect(open('unshown', SOL)).rejects.toMatchObject({
    ...{ code: 'BALANCE_EXISTS', exitCode: 2 },
    message:
      'the top-up of the balance "unshown" was made already, so there is nothing more to pay',
    next: 'to see it: sotto balance open unshown',
  })
  await expect(open('unshown', other)).rejects.toMatchObject({
    next: expect.stringContaining('another name') as string,
  })
  const spent = await books.spent()
  expect(spent > 500_000_000n && spent < 505_000_000n).toBe(true)
})

it('keeps the secret of an earlier top-up if a quote is declined', async () => {
  const { open } = await person()
  const declined = { ...OPTIONS, yes: false }
  await expect(open('declined', SOL, {}, declined)).rejects.toThrow()
  await expect(secretOf('declined')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(open('declined', SOL, cutAtSend(stack, false))).rejects.toThrow(Crash)
  const secret = await secretOf('declined')
  await advance(stack, DEADLINE_SECONDS + 1_200)
  await expect(open('declined', RESUMED)).rejects.toMatchObject({ code: 'NOT_OPENED' })
  await expect(open('declined', { ...SOL, amount: '9' })).rejects.toThrow()
  expect(await secretOf('declined')).toBe(secret)
  expect(await open('declined', { ...SOL, amount: '0.1' })).toMatchObject({ status: 'open' })
})
