import { memoryBalance } from '@sotto/sdk/balance'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Crash, crashingAt } from '../../sdk/tests/balance/crashing.ts'
import { FEE, type PayingService } from '../../sdk/tests/balance/paying-service.ts'
import { balanceFile } from '../src/balances/balance-files.ts'
import { runPayrollPay } from '../src/commands/payroll/pay.ts'
import type { Receipt } from '../src/payroll/receipts.ts'
import { newWallet as wallet, PayingMachine } from './paying-machine.ts'

let machine: PayingMachine
let home: string
let paying: PayingService
beforeAll(async () => {
  machine = await PayingMachine.start()
  ;({ home, paying } = machine)
})
afterAll(() => machine?.stop())

const service = () => machine.service()
const whole = () => machine.contextOf()
const open = (name: string, value: bigint) => machine.open(name, value)
const holds: PayingMachine['holds'] = (address) => machine.holds(address)
const UNLIMITED = { from: ['a'], yes: true, interval: 0.005 }
const PAY = { ...UNLIMITED, maxFee: '0.006' }

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
 * To keep the test short, the command crashes only at every ninth call. A test of the SDK makes a payment crash at
 * every call.
 */
const STRIDE = 9

describe('a payroll list', () => {
  it('is paid once, with one receipt for each line, even if the command crashes', async () => {
    await open('a', 10_000_000_000n)
    let points = 0
    for (let point = 2; ; point += STRIDE) {
      const payees = [await wallet(), await wallet()] as const
      const name = `crash-${point}`
      const file = await listOf(name, [
        [payees[0], '0.001'],
        [payees[1], '0.002000001'],
      ])
      const parts = { store: memoryBalance(), service: service() as never, rpc: machine.node.rpc }
      const crashing = crashingAt(point, parts)
      const run = runPayrollPay(machine.contextOf(crashing.options).context, file, PAY)
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

  it('continues with a third balance, and pays no line twice', async () => {
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
    const stopped = runPayrollPay(machine.contextOf({ service: cut }).context, file, options)
    await expect(stopped).rejects.toMatchObject({ name: 'LineError', line: 4 })
    const { context, results } = whole()
    await runPayrollPay(context, file, { ...PAY, from: ['d'] })
    expect(payees.map(holds)).toEqual([250_000_000n, 500_000_000n, 100_000_000n])
    expect(results).toMatchObject([{ lines: 3, paidNow: 0, paidBefore: 3 }])
    const receipts = await receiptsOf('parts')
    const paidFrom = receipts.map(({ payment, balance }) => `${payment} ${balance}`).sort()
    expect(paidFrom).toEqual(['1 b', '2 c', '3 c'])
  })

  it('continues after a line that the service refuses', async () => {
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
    const first = machine.contextOf({ service: refusing })
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

  it('is refused before any payment if it costs too much, or if its file has changed', async () => {
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

  it('is not paid again under another name while lines of the first list are unpaid', async () => {
    await open('h', 1_000_000_000n)
    const payees = [await wallet(), await wallet(), await wallet()] as const
    const options = { ...PAY, from: ['h'] }
    const cut = {
      ...service(),
      quote: (...args: Parameters<typeof paying.service.quote>) =>
        args[0].recipientAddress === payees[1]
          ? Promise.reject(Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' }))
          : paying.service.quote(...args),
    }
    const first = await listOf('first', [
      [payees[0], '0.01'],
      [payees[1], '0.02'],
      [payees[2], '0.01'],
    ])
    const stopped = runPayrollPay(machine.contextOf({ service: cut }).context, first, options)
    await expect(stopped).rejects.toMatchObject({ name: 'LineError', line: 3 })

    const corrected = await listOf('corrected', [
      [payees[0], '0.01'],
      [payees[1], '0.01'],
      [payees[2], '0.01'],
    ])
    const pay = (more: object = {}) =>
      runPayrollPay(whole().context, corrected, { ...options, ...more })
    await expect(pay()).rejects.toMatchObject({
      ...{ code: 'LIST_OVERLAPS', exitCode: 4, next: expect.stringContaining('list:first') },
      message: expect.stringMatching(
        /"first" has paid .*line 2;.*must still make .*line 4$/,
      ) as string,
    })
    await expect(pay({ again: ['list:second'] })).rejects.toMatchObject({ code: 'LIST_OVERLAPS' })
    expect(payees.map(holds)).toEqual([10_000_000n, 0n, 0n])
    expect(await pay({ again: ['list:first'] })).toBe(0)
    expect(payees.map(holds)).toEqual([20_000_000n, 10_000_000n, 10_000_000n])
  })

  it('may repeat the lines of a list that is paid completely', async () => {
    await open('i', 1_000_000_000n)
    const to = await wallet()
    const options = { ...PAY, from: ['i'] }
    for (const month of ['may', 'june']) {
      const file = await listOf(month, [[to, '0.01']])
      expect(await runPayrollPay(whole().context, file, options)).toBe(0)
    }
    expect(holds(to)).toBe(20_000_000n)
  })

  it('is not paid again from a new balance with the old name if there are receipts', async () => {
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
    const [paid] = await receiptsOf('restored')
    const again = [`2:${paid!.signature}`, '2:restored']
    expect(await runPayrollPay(whole().context, file, { ...options, again })).toBe(0)
    expect(holds(to)).toBe(20_000_000n)
  })

  it.each([
    ['that is higher than --max-fee', 5_000, PAY, 'FEE_HIGHER'],
    ['of the whole payment', 10_000, { ...PAY, maxFee: '1' }, 'FEE_INVALID'],
    ['without a limit if --yes accepts it', 0, UNLIMITED, 'MAX_FEE_MISSING'],
  ])('pays no fee %s', async (_name, serviceFeeBps, options, code) => {
    const name = `tariff-${serviceFeeBps}`
    await open(name, 1_000_000_000n)
    const to = await wallet()
    const file = await listOf(name, [[to, '0.01']])
    const tokens = async () => {
      const listed = await service().tokens()
      return { ...listed, tokens: listed.tokens.map((one) => ({ ...one, serviceFeeBps })) }
    }
    const { context } = machine.contextOf({ service: { ...service(), tokens } })
    const run = runPayrollPay(context, file, { ...options, from: [name] })
    await expect(run).rejects.toMatchObject({ name: 'CliError', code })
    expect(holds(to)).toBe(0n)
  })

  it('pays no fee above the fee that was shown', async () => {
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
    const run = runPayrollPay(machine.contextOf({ service: dearer }).context, file, {
      ...PAY,
      from: ['g'],
    })
    await expect(run).rejects.toMatchObject({ name: 'LineError', cause: { code: 'FEE_HIGHER' } })
    expect(holds(to)).toBe(0n)
  })
})
