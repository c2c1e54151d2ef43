import { generateKeyPairSigner } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { startProver, type ProverClient } from '@sotto/prover-client'
import { memoryBalance, restoreBalance } from '@sotto/sdk/balance'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { liteNode } from '../../recovery/tests/lite-node.ts'
import { Crash, crashingAt } from '../../sdk/tests/balance/crashing.ts'
import { FEE, PayingService } from '../../sdk/tests/balance/paying-service.ts'
import { balanceFile, balanceStore } from '../src/balances/balance-files.ts'
import { runPayrollPay } from '../src/commands/payroll/pay.ts'
import type { CliContext } from '../src/context.ts'
import { openOutput } from '../src/output/output.ts'
import type { Receipt } from '../src/payroll/receipts.ts'

const SECRET = 4_711n
const executable = fileURLToPath(new URL('../../prover/sotto-prover.mjs', import.meta.url))
const SOL = {
  ...{ assetId: NATIVE_MINT, symbol: 'SOL', decimals: 9, min: '1', serviceFeeBps: 0 },
  networkFee: { accountExists: `${FEE}`, accountCreated: `${FEE}` },
}

let home: string
let prover: ProverClient
let fixture: PoolFixture
let node: ReturnType<typeof liteNode>
let paying: PayingService
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-payroll-'))
  prover = await startProver({ executable, processes: 1, queueMax: 4 })
  fixture = await startPool()
  node = liteNode(fixture.chain)
  paying = new PayingService(node, fixture.chain, prover)
})
afterAll(async () => {
  await prover.stop()
  await rm(home, { recursive: true })
})

const service = () => ({
  ...paying.service,
  tokens: async () => ({ success: true, tokens: [SOL], asOf: '' }),
})

/** A command's context on the chain in this process. It records the results that the command prints. */
function contextOf(parts: { readonly service: unknown; readonly rpc: unknown }) {
  const results: Record<string, unknown>[] = []
  const stream = { write: () => true, isTTY: false }
  const output = {
    ...openOutput({ json: true }, { stdout: stream, stderr: stream, stdin: {} }),
    result: (value: object) => void results.push(value as Record<string, unknown>),
  }
  const settings = { home, programId: fixture.chain.program }
  const { signal } = new AbortController()
  const client = async () => parts.service
  const rpc = async () => parts.rpc
  return { results, context: { settings, output, signal, client, rpc } as unknown as CliContext }
}

const whole = () => contextOf({ service: service(), rpc: node.rpc })
const PAY = { from: ['a'], yes: true, interval: 0.005 }

/** Opens a balance with this many lamports on this machine. */
async function open(name: string, value: bigint): Promise<void> {
  const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
  const order = await draftOrder(fixture, {
    ...{ sourceMint: NATIVE_MINT, amountOut: value, fee: 0n, owner },
  })
  expectLanded(await sendDeposit(fixture, order))
  const { program } = fixture.chain
  const ticket = { program, orderId: order.terms.orderId, note: order.note, secret: SECRET }
  await restoreBalance({
    ...{ store: balanceStore(home, name), ticket: encodeTicket(ticket), programId: program },
    ...{ service: paying.service, rpc: node.rpc, approve: () => true, pollMs: 5 },
  })
}

const wallet = async () => (await generateKeyPairSigner()).address
const holds = (address: Awaited<ReturnType<typeof wallet>>) => fixture.chain.balance(address)

async function listOf(name: string, rows: readonly (readonly [string, string])[]) {
  const file = join(home, `${name}.csv`)
  const text = rows.map(([to, amount]) => `${to},${amount}\n`).join('')
  await writeFile(file, `recipient,amount\n${text}`)
  return file
}

async function receiptsOf(list: string): Promise<Receipt[]> {
  const text = await readFile(join(home, 'payroll', `${list}.receipts.jsonl`), 'utf8')
  const rows = text.split('\n').filter((row) => row !== '')
  return rows.map((row) => JSON.parse(row) as Receipt)
}

/**
 * To keep the test short, the command crashes only at every ninth call. The SDK's own test makes one payment crash at
 * each call.
 */
const STRIDE = 9

describe('a payroll list', () => {
  it('is paid once, line by line, with one receipt each, wherever the command ends meanwhile', async () => {
    await open('a', 10_000_000_000n)
    let points = 0
    for (let point = 2; ; point += STRIDE) {
      const payees = [await wallet(), await wallet()] as const
      const name = `crash-${point}`
      const file = await listOf(name, [
        [payees[0], '0.001'],
        [payees[1], '0.002000001'],
      ])
      const parts = { store: memoryBalance(), service: service() as never, rpc: node.rpc }
      const crashing = crashingAt(point, parts)
      const run = runPayrollPay(contextOf(crashing.options).context, file, PAY)
      const ended = await run.then(
        () => undefined,
        (error: unknown) => error,
      )
      const { context, results } = whole()
      expect(await runPayrollPay(context, file, PAY)).toBe(0)
      const { last } = crashing.passed
      expect(payees.map(holds), last).toEqual([1_000_000n, 2_000_001n])
      const receipts = await receiptsOf(name)
      expect(
        receipts.map(({ payment, status, recipient }) => [payment, status, recipient]),
        last,
      ).toEqual([
        [1, 'paid', payees[0]],
        [2, 'paid', payees[1]],
      ])
      expect(receipts.map(({ amount, fee }) => [amount, fee])).toEqual([
        ['0.001', '0.006'],
        ['0.002000001', '0.006'],
      ])
      const [result] = results as { lines: number; paidBefore: number; paidNow: number }[]
      expect(result!.paidBefore + result!.paidNow, last).toBe(2)
      if (ended === undefined) break
      expect(ended).toSatisfy(
        (error: Error) => error instanceof Crash || error.cause instanceof Crash,
      )
      points += 1
    }
    expect(points).toBeGreaterThan(4)
  })

  it('that two balances have paid in part goes on with another balance, and pays no line twice', async () => {
    await open('b', 300_000_000n)
    await open('c', 700_000_000n)
    await open('d', 700_000_000n)
    const payees = [await wallet(), await wallet(), await wallet()] as const
    const file = await listOf('parts', [
      [payees[0], '0.25'],
      [payees[1], '0.5'],
      [payees[2], '0.1'],
    ])
    const options = { ...PAY, from: ['b', 'c'] }
    // The command crashes before it sends the signature of the second payment of balance "c".
    const ofLastLine = new Set<string>()
    const cut = {
      ...service(),
      orderPayment: async (...args: Parameters<typeof paying.service.orderPayment>) => {
        const order = await paying.service.orderPayment(...args)
        if (args[0].recipientAddress === payees[2]) ofLastLine.add(order.trackingId)
        return order
      },
      signPayment: (...args: Parameters<typeof paying.service.signPayment>) => {
        if (ofLastLine.has(args[0]))
          throw Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' })
        return paying.service.signPayment(...args)
      },
    }
    const stopped = runPayrollPay(contextOf({ service: cut, rpc: node.rpc }).context, file, options)
    await expect(stopped).rejects.toMatchObject({ name: 'LineError', line: 4 })
    const { context, results } = whole()
    await runPayrollPay(context, file, { ...PAY, from: ['d'] })
    expect(payees.map(holds)).toEqual([250_000_000n, 500_000_000n, 100_000_000n])
    expect(results).toMatchObject([{ lines: 3, paidNow: 0, paidBefore: 3 }])
    const receipts = await receiptsOf('parts')
    const paidFrom = receipts.map(({ payment, balance }) => `${payment} ${balance}`).sort()
    expect(paidFrom).toEqual(['1 b', '2 c', '3 c'])
  })

  it('goes on after a line that the service refuses for good, and pays it later', async () => {
    await open('e', 1_000_000_000n)
    const payees = [await wallet(), await wallet(), await wallet()] as const
    const file = await listOf('refused', [
      [payees[0], '0.01'],
      [payees[1], '0.01'],
      [payees[2], '0.01'],
    ])
    const options = { ...PAY, from: ['e'] }
    const refusing = {
      ...service(),
      quote: (...args: Parameters<typeof paying.service.quote>) => {
        if (args[0].recipientAddress !== payees[1]) return paying.service.quote(...args)
        const refusal = { code: 'RECIPIENT_NOT_PAYABLE', retry: 'never' }
        return Promise.reject(Object.assign(new Error('not payable'), refusal))
      },
    }
    const first = contextOf({ service: refusing, rpc: node.rpc })
    expect(await runPayrollPay(first.context, file, options)).toBe(7)
    expect(first.results).toMatchObject([
      { paidNow: 2, refused: [{ line: 3, code: 'RECIPIENT_NOT_PAYABLE' }] },
    ])
    expect(payees.map(holds)).toEqual([10_000_000n, 0n, 10_000_000n])
    const { context, results } = whole()
    expect(await runPayrollPay(context, file, options)).toBe(0)
    expect(results).toMatchObject([{ paidNow: 1, refused: [], left: 1_000_000_000n - 48_000_000n }])
    expect((await receiptsOf('refused')).map(({ payment, status }) => [payment, status])).toEqual([
      [1, 'paid'],
      [2, 'refused'],
      [3, 'paid'],
      [2, 'paid'],
    ])
  })

  it('is refused before any payment if it costs more than the balances hold, or its file has changed', async () => {
    await open('f', 20_000_000n)
    const to = await wallet()
    const options = { ...PAY, from: ['f'] }
    const dear = await listOf('dear', [
      [to, '0.007'],
      [to, '0.001000001'],
    ])
    const short = runPayrollPay(whole().context, dear, options)
    await expect(short).rejects.toMatchObject({
      code: 'BALANCE_TOO_SMALL',
      message: 'the list costs up to 0.000000001 SOL more than the balances hold',
    })
    expect(holds(to)).toBe(0n)
    const exact = await listOf('exact', [
      [to, '0.007'],
      [to, '0.001'],
    ])
    expect(await runPayrollPay(whole().context, exact, options)).toBe(0)
    expect(holds(to)).toBe(8_000_000n)
    await listOf('exact', [
      [to, '0.007'],
      [to, '0.002'],
    ])
    const changed = runPayrollPay(whole().context, exact, options)
    await expect(changed).rejects.toMatchObject({ code: 'LIST_CHANGED', exitCode: 2 })
    expect(holds(to)).toBe(8_000_000n)
  })

  it('is not paid again from a restored balance if its receipts say that it was paid', async () => {
    await open('r', 50_000_000n)
    const to = await wallet()
    const options = { ...PAY, from: ['r'] }
    const file = await listOf('restored', [[to, '0.01']])
    expect(await runPayrollPay(whole().context, file, options)).toBe(0)
    await rm(balanceFile(home, 'r'))
    await open('r', 50_000_000n)
    const refused = { code: 'PAID_BEFORE', message: expect.stringContaining('line 2') as string }
    await expect(runPayrollPay(whole().context, file, options)).rejects.toMatchObject(refused)
    const receipts = join(home, 'others.jsonl')
    const elsewhere = runPayrollPay(whole().context, file, { ...options, receipts })
    await expect(elsewhere).rejects.toMatchObject(refused)
    expect(holds(to)).toBe(10_000_000n)
    expect(await runPayrollPay(whole().context, file, { ...options, again: true })).toBe(0)
    expect(holds(to)).toBe(20_000_000n)
  })

  it('pays no fee above the one that was shown', async () => {
    await open('g', 1_000_000_000n)
    const to = await wallet()
    const file = await listOf('fee', [[to, '0.01']])
    const dearer = {
      ...service(),
      quote: async (...args: Parameters<typeof paying.service.quote>) => {
        const { quote } = await paying.service.quote(...args)
        const amountIn = `${BigInt(quote.amountIn) + 1n}`
        return { quote: { ...quote, amountIn, fee: `${FEE + 1n}` } } as never
      },
    }
    const run = runPayrollPay(contextOf({ service: dearer, rpc: node.rpc }).context, file, {
      ...PAY,
      from: ['g'],
    })
    await expect(run).rejects.toMatchObject({ name: 'LineError', cause: { code: 'FEE_HIGHER' } })
    expect(holds(to)).toBe(0n)
  })
})
