import fs, { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Crash } from '../../sdk/tests/balance/crashing.ts'
import { balanceFile } from '../src/balances/balance-files.ts'
import { runBalanceSend } from '../src/commands/balance/send.ts'
import { runPayrollPay } from '../src/commands/payroll/pay.ts'
import { keyOfLine } from '../src/payroll/list-record.ts'
import {
  againValuesIn,
  newWallet,
  PAYROLL_OPTIONS as OPTIONS,
  PayingMachine,
  SENT,
  UNCERTAIN,
  VALUE,
} from './paying-machine.ts'

const { rename } = fs

/** Runs `work` while a file can't be replaced, as on a full disk. Other test files may have loaded the module before. */
async function whileFullAt(path: string, work: () => Promise<void>): Promise<void> {
  fs.rename = (from, to) => (to === path ? Promise.reject(new Error('no space')) : rename(from, to))
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    fs.rename = rename
    syncBuiltinESMExports()
  }
}

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

async function listOf(name: string) {
  const to = await newWallet()
  const file = join(machine.home, `${name}.csv`)
  await writeFile(file, `recipient,amount\n${to},0.1\n`)
  const pay = (service: unknown = machine.service(), more: object = {}) =>
    runPayrollPay(machine.contextOf({ service }).context, file, {
      ...OPTIONS,
      from: [name],
      ...more,
    })
  return { to, file, pay }
}

const crash = () => Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' })

/** A service that makes each payment. The command crashes before it gets the service's response. */
const landing = () => ({
  ...machine.service(),
  signPayment: async (...signed: Parameters<typeof machine.paying.service.signPayment>) => {
    await machine.paying.service.signPayment(...signed)
    throw crash()
  },
})

/** A service whose quotes make the command crash, so that nothing is signed. */
const refusing = () => ({ ...machine.service(), quote: () => Promise.reject(crash()) })

describe('a line that was paid, but has no receipt', () => {
  it('is not paid again after its balance was restored from a ticket', async () => {
    const ticket = await machine.open('a', VALUE)
    const { to, pay } = await listOf('a')
    await expect(pay(landing())).rejects.toMatchObject({ name: 'LineError' })
    await rm(balanceFile(machine.home, 'a'))
    await machine.restore('a', ticket)
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(SENT)
    // A person must compare the list with the chain before using `again`, because it pays the line once more.
    const again = await againValuesIn(pay())
    expect(again).toEqual(['2:restored', expect.stringMatching(/^2:\w{80,}$/)])
    for (const one of again) {
      await expect(pay(machine.service(), { again: [one] })).rejects.toMatchObject(UNCERTAIN)
    }
    expect(await pay(machine.service(), { again })).toBe(0)
    expect(machine.holds(to)).toBe(2n * SENT)
    expect(await pay()).toBe(0)
  })

  it('is not paid again after its balance was replaced by an older copy', async () => {
    await machine.open('b', VALUE)
    const { to, pay } = await listOf('b')
    await expect(pay(refusing())).rejects.toMatchObject({ name: 'LineError' })
    const file = balanceFile(machine.home, 'b')
    await copyFile(file, `${file}.copy`)
    await expect(pay(landing())).rejects.toMatchObject({ name: 'LineError' })
    await copyFile(`${file}.copy`, file)
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(SENT)
  })

  it('is not paid again after every file was replaced by an older copy', async () => {
    await machine.open('e', VALUE)
    const { to, file, pay } = await listOf('e')
    await expect(pay(refusing())).rejects.toMatchObject({ name: 'LineError' })
    await machine.backUp()
    expect(await pay()).toBe(0)
    await machine.restoreAll()
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(SENT)
    const again = await againValuesIn(pay())
    const { context } = machine.contextOf()
    const asked = { ...context.output, isInteractive: true, ask: async () => false }
    const declined = runPayrollPay({ ...context, output: asked }, file, {
      ...{ ...OPTIONS, yes: false, from: ['e'], again },
    })
    await expect(declined).rejects.toMatchObject({ code: 'DECLINED' })
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    expect(await pay(machine.service(), { again })).toBe(0)
    expect(machine.holds(to)).toBe(2n * SENT)
  })

  it('is not paid from another balance either', async () => {
    const ticket = await machine.open('c', VALUE)
    await machine.open('other', VALUE)
    const { to, pay } = await listOf('c')
    await expect(pay(landing())).rejects.toMatchObject({ name: 'LineError' })
    await rm(balanceFile(machine.home, 'c'))
    await machine.restore('c', ticket)
    await expect(pay(machine.service(), { from: ['other'] })).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(SENT)
  })
})

describe('a line whose signed payment was dropped, because a node showed that it could not land', () => {
  it('is not paid from another balance', async () => {
    for (const name of ['dropped', 'spare']) await machine.open(name, VALUE)
    const { to, pay } = await listOf('dropped')
    await expect(pay(refusing())).rejects.toMatchObject({ name: 'LineError' })
    const file = balanceFile(machine.home, 'dropped')
    const state = JSON.parse(await readFile(file, 'utf8')) as object
    await writeFile(file, JSON.stringify({ ...state, lapsed: [`one:${keyOfLine('dropped', 0)}`] }))
    const other = (more: object = {}) => pay(machine.service(), { from: ['spare'], ...more })
    await expect(other()).rejects.toMatchObject(UNCERTAIN)
    await expect(other({ again: ['2:unknown', '2:restored'] })).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(0n)
    // The balance that signed the line may pay it, because it would notice if the signed payment had landed after all.
    expect(await other({ from: ['spare', 'dropped'] })).toBe(0)
    expect(machine.holds(to)).toBe(SENT)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      payments: { [`one:${keyOfLine('dropped', 0)}`]: { step: 'paid' } },
    })
  })
})

/** Pays the list from a copy of this machine's files, as another machine with the same backup does. */
async function payElsewhere(file: string, name: string): Promise<void> {
  const { context } = machine.contextOf()
  const home = await mkdtemp(join(tmpdir(), 'sotto-copy-'))
  try {
    await cp(machine.home, home, { recursive: true })
    const settings = { ...context.settings, home }
    await runPayrollPay({ ...context, settings }, file, { ...OPTIONS, from: [name] })
  } finally {
    await rm(home, { recursive: true })
  }
}

describe('a list that another machine with the same files pays meanwhile', () => {
  it('is refused before any line is paid if a person was asked in between', async () => {
    await machine.open('g', VALUE)
    const { to, file } = await listOf('g')
    const { context } = machine.contextOf()
    const ask = async () => {
      await payElsewhere(file, 'g')
      return true
    }
    const output = { ...context.output, isInteractive: true, ask }
    const options = { ...OPTIONS, yes: false, from: ['g'] }
    const paid = runPayrollPay({ ...context, output }, file, options)
    await expect(paid).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(SENT)
  })

  it('stops at the line that the other machine has paid', async () => {
    await machine.open('h', VALUE)
    const { to, file, pay } = await listOf('h')
    let isPaid = false
    const service = machine.service()
    const orderPayment: typeof service.orderPayment = async (...ordered) => {
      if (!isPaid) {
        isPaid = true
        await payElsewhere(file, 'h')
        throw Object.assign(new Error('in use'), { code: 'NOTE_IN_USE', retry: 'new_quote' })
      }
      return service.orderPayment(...ordered)
    }
    const cause = { code: 'LINE_UNCERTAIN' }
    const stopped = { name: 'LineError', cause: expect.objectContaining(cause) as unknown }
    await expect(pay({ ...service, orderPayment })).rejects.toMatchObject(stopped)
    await expect(pay()).rejects.toMatchObject(UNCERTAIN)
    expect(machine.holds(to)).toBe(SENT)
  })
})

it('refuses a single payment that another machine makes while this one waits', async () => {
  await machine.open('i', VALUE)
  const sent = { name: 'i', amount: '0.1', recipient: await newWallet() }
  const { context } = machine.contextOf()
  const home = await mkdtemp(join(tmpdir(), 'sotto-copy-'))
  await cp(machine.home, home, { recursive: true })
  const service = machine.service()
  let isPaid = false
  const orderPayment: typeof service.orderPayment = async (...ordered) => {
    if (isPaid) return service.orderPayment(...ordered)
    isPaid = true
    const settings = { ...context.settings, home }
    await runBalanceSend({ ...context, settings }, sent, OPTIONS)
    throw Object.assign(new Error('in use'), { code: 'NOTE_IN_USE', retry: 'new_quote' })
  }
  const { context: waiting } = machine.contextOf({ service: { ...service, orderPayment } })
  const uncertain = { name: 'CliError', code: 'PAYMENT_UNCERTAIN' }
  await expect(runBalanceSend(waiting, sent, OPTIONS)).rejects.toMatchObject(uncertain)
  await rm(home, { recursive: true })
  expect(machine.holds(sent.recipient)).toBe(SENT)
})

it('continues a list after a failed write', async () => {
  await machine.open('d', VALUE)
  const { to, pay } = await listOf('d')
  await expect(pay(refusing())).rejects.toMatchObject({ name: 'LineError' })
  const record = join(machine.home, 'payroll', 'd.json')
  for (const file of [balanceFile(machine.home, 'd'), record]) {
    await whileFullAt(file, () => expect(pay()).rejects.toThrow('no space'))
  }
  expect(machine.holds(to)).toBe(0n)
  expect(await pay()).toBe(0)
  expect(machine.holds(to)).toBe(SENT)
})

it('refuses a single payment that the chain shows, if every file was replaced by an older copy', async () => {
  await machine.open('f', VALUE)
  await machine.backUp()
  const sent = { name: 'f', amount: '0.1', recipient: await newWallet() }
  const send = (more: object = {}) => {
    const { context, results } = machine.contextOf()
    return runBalanceSend(context, sent, { ...OPTIONS, ...more }).then(() => results)
  }
  await send()
  await machine.restoreAll()
  const refused = { code: 'PAYMENT_UNCERTAIN' }
  await expect(send()).rejects.toMatchObject(refused)
  await expect(send({ key: 'invoice' })).rejects.toMatchObject(refused)
  await expect(send({ exactIn: true })).rejects.toMatchObject(refused)
  expect(machine.holds(sent.recipient)).toBe(SENT)
  const again = await againValuesIn(send())
  await send({ again })
  await send()
  // With --again, the person has decided about the first payment. So the last command makes a third payment.
  expect(machine.holds(sent.recipient)).toBe(3n * SENT)
})
