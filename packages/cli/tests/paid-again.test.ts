import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceFile } from '../src/balances/balance-files.ts'
import { runBalanceSend } from '../src/commands/balance/send.ts'
import { runPayrollPay } from '../src/commands/payroll/pay.ts'
import { sharedProver } from '../../../testing/prover/shared-prover.ts'
import { lyingNode } from '../../sdk/tests/balance/lying-node.ts'
import { PayingService } from '../../sdk/tests/balance/paying-service.ts'
import {
  againValuesIn,
  newWallet,
  PAYROLL_OPTIONS as OPTIONS,
  PayingMachine,
  SENT,
  UNCERTAIN,
  VALUE,
} from './paying-machine.ts'

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

it('does not pay an uncertain line if a person has accepted only another line', async () => {
  await machine.open('j', VALUE)
  const payees = [await newWallet(), await newWallet()]
  const file = join(machine.home, 'j.csv')
  await writeFile(file, `recipient,amount\n${payees.map((to) => `${to},0.1`).join('\n')}\n`)
  const pay = (more: object = {}) =>
    runPayrollPay(machine.contextOf().context, file, { ...OPTIONS, from: ['j'], ...more })
  await machine.backUp()
  expect(await pay()).toBe(0)
  await machine.restoreAll()
  const again = await againValuesIn(pay())
  expect(again).toEqual([
    expect.stringMatching(/^2:\w{80,}$/),
    expect.stringMatching(/^3:\w{80,}$/),
  ])
  await expect(pay({ again: again.slice(1) })).rejects.toMatchObject(UNCERTAIN)
  await expect(pay({ again: true })).rejects.toMatchObject({ code: 'AGAIN_UNNAMED' })
  await expect(pay({ again: [again[0]!.slice(2)] })).rejects.toMatchObject({ exitCode: 2 })
  expect(payees.map((to) => machine.holds(to))).toEqual([SENT, SENT])
  expect(await pay({ again })).toBe(0)
  expect(payees.map((to) => machine.holds(to))).toEqual([2n * SENT, 2n * SENT])
})

it('pays a single payment once more only if the person has checked every payment like it', async () => {
  await machine.open('k', VALUE)
  await machine.backUp()
  const sent = { name: 'k', amount: '0.1', recipient: await newWallet() }
  const send = (more: object = {}) =>
    runBalanceSend(machine.contextOf().context, sent, { ...OPTIONS, ...more })
  await send()
  await send()
  await machine.restoreAll()
  const uncertain = { code: 'PAYMENT_UNCERTAIN', exitCode: 4 }
  const again = await againValuesIn(send())
  expect(again).toHaveLength(2)
  const [first, second] = again
  // Another copy of the balance made the second payment after the person had checked the first one.
  await expect(send({ again: [first] })).rejects.toMatchObject({
    ...{ ...uncertain, message: expect.stringContaining(second!) as string },
  })
  const declined = send({ again, maxFee: '0.001' })
  await expect(declined).rejects.toMatchObject({ code: 'QUOTE_DECLINED' })
  await expect(send()).rejects.toMatchObject(uncertain)
  await expect(send({ again: true })).rejects.toMatchObject({ code: 'AGAIN_UNNAMED', exitCode: 2 })
  await expect(send({ again: ['A'] })).rejects.toMatchObject({ code: 'AGAIN_INVALID', exitCode: 2 })
  expect(machine.holds(sent.recipient)).toBe(2n * SENT)
  await send({ again })
  expect(machine.holds(sent.recipient)).toBe(3n * SENT)
})

it('lets a named transaction stand for only one payment, even if the node shows two under it', async () => {
  await machine.open('m', VALUE)
  await machine.backUp()
  const sent = { name: 'm', amount: '0.1', recipient: await newWallet() }
  const send = (more: object = {}) =>
    runBalanceSend(machine.contextOf().context, sent, { ...OPTIONS, ...more })
  const list = join(machine.home, 'm.csv')
  await writeFile(list, `recipient,amount\n${sent.recipient},0.1\n`)
  const pay = (more: object = {}) =>
    runPayrollPay(machine.contextOf().context, list, { ...OPTIONS, from: ['m'], ...more })
  await send()
  await send()
  await machine.restoreAll()
  const [first, second] = await againValuesIn(send())
  const file = balanceFile(machine.home, 'm')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(second!, first!))

  await expect(send({ again: [first] })).rejects.toMatchObject({ code: 'PAYMENT_UNCERTAIN' })
  expect(await againValuesIn(send())).toEqual([first, first])
  const again = await againValuesIn(pay())
  expect(again).toEqual([`2:${first}`, `2:${first}`])
  await expect(pay({ again: again.slice(1) })).rejects.toMatchObject(UNCERTAIN)
  expect(machine.holds(sent.recipient)).toBe(2n * SENT)
  expect(await pay({ again })).toBe(0)
  expect(machine.holds(sent.recipient)).toBe(3n * SENT)
})

it('names the value of --again if a node shows a payment after it has shown that the payment cannot land', async () => {
  const cut = () => {
    let left = 0
    const service = machine.service()
    const signPayment: typeof service.signPayment = async (...signed) => {
      const answer = await service.signPayment(...signed)
      left = 1
      return answer
    }
    const rpc = lyingNode(machine.node.rpc, () => left-- > 0)
    return machine.contextOf({ service: { ...service, signPayment }, rpc }).context
  }
  await machine.open('n', VALUE)
  const recipient = await newWallet()
  const sent = runBalanceSend(cut(), { name: 'n', amount: '0.1', recipient }, OPTIONS)
  await expect(sent).rejects.toMatchObject({
    ...{ name: 'CliError', code: 'PAYMENT_UNCERTAIN', exitCode: 4 },
    next: expect.stringMatching(/--again \w{80,}$/) as string,
  })
  await machine.open('o', VALUE)
  const file = join(machine.home, 'o.csv')
  await writeFile(file, `recipient,amount\n${recipient},0.1\n`)
  const next = expect.stringMatching(/--again 2:\w{80,}$/) as string
  await expect(runPayrollPay(cut(), file, { ...OPTIONS, from: ['o'] })).rejects.toMatchObject({
    ...{ name: 'LineError', cause: { name: 'CliError', code: 'LINE_UNCERTAIN', next } },
  })
  expect(machine.holds(recipient)).toBe(2n * SENT)
})

it('names another transaction that may have made a signed payment', async () => {
  const ticket = await machine.open('l', VALUE)
  const recipient = await newWallet()
  const send = (name: string, parts: object = {}) => {
    const { context, results } = machine.contextOf({ service: { ...machine.service(), ...parts } })
    return runBalanceSend(context, { name, amount: '0.1', recipient }, OPTIONS).then(() => results)
  }
  const lost = () =>
    Promise.reject(Object.assign(new Error('lost'), { code: 'LOST', retry: 'never' }))
  const unsent = { code: 'PAYMENT_MAY_LAND' }
  await expect(send('l', { signPayment: lost })).rejects.toMatchObject(unsent)

  const { chain } = machine.fixture
  const { service } = new PayingService(machine.node, chain, await sharedProver())
  const quote: typeof service.quote = async (...asked) => {
    const { quote: dear, ...answer } = await service.quote(...asked)
    const amountIn = `${BigInt(dear.amountIn) - 1n}`
    return { ...answer, quote: { ...dear, amountIn, fee: `${BigInt(dear.fee) - 1n}` } }
  }
  await machine.restore('copy', ticket)
  const [paid] = await send('copy', { ...service, quote })
  const uncertain = {
    ...{ name: 'CliError', code: 'PAYMENT_UNCERTAIN', exitCode: 4 },
    message: expect.stringContaining(`${String(paid!['signature'])}`) as string,
  }
  await expect(send('l')).rejects.toMatchObject(uncertain)
  await expect(send('l')).rejects.toMatchObject(uncertain)
  expect(machine.holds(recipient)).toBe(SENT)
})
