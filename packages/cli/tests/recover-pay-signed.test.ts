import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { BalancePayment } from '@sotto/recovery'
import type { CliContext } from '../src/context.ts'
import type { PayingMachine as Machine } from './paying-machine.ts'

const OPTIONS = { yes: true, maxFee: '0.006', interval: 0.005 }

const landed: string[] = []
vi.mock('@sotto/recovery', async (original) => ({
  ...(await original<object>()),
  landPayment: async ({ ticket, payee }: BalancePayment) => {
    landed.push(payee)
    return { ticket, signature: 'the signature' }
  },
}))
// Another test file in this process may already have loaded the modules with the real recovery.
vi.resetModules()
const { runBalanceSend } = await import('../src/commands/balance/send.ts')
const { runPay } = await import('../src/commands/recover-pay.ts')
const { balanceTicketFile, usingBalances } = await import('../src/balances/balance-files.ts')
const { newWallet, PayingMachine } = await import('./paying-machine.ts')

let machine: Machine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(async () => {
  await machine?.stop()
  vi.resetModules()
})

it('pays nothing by recovery while a signed payment of the same balance may still land', async () => {
  const ticket = await machine.open('a', 1_000_000_000n)
  await writeFile(balanceTicketFile(machine.home, 'a'), ticket)
  const copy = join(machine.home, 'a-copy.ticket')
  await writeFile(copy, ticket)
  const recipient = await newWallet()
  const lost = () =>
    Promise.reject(Object.assign(new Error('lost'), { code: 'LOST', retry: 'never' }))
  const { context } = machine.contextOf({ service: { ...machine.service(), signPayment: lost } })
  const sent = { name: 'a', amount: '0.1', recipient }
  const mayLand = { code: 'PAYMENT_MAY_LAND' }
  await expect(runBalanceSend(context, sent, OPTIONS)).rejects.toMatchObject(mayLand)

  const settings = { ...context.settings, rpcUrl: 'http://127.0.0.1:1' }
  const recovering: CliContext = { ...context, settings, signer: async () => ({}) as never }
  const pay = (from: string) => runPay(recovering, from, { to: recipient, amount: '0.1' })
  for (const from of ['a', copy]) {
    await expect(pay(from)).rejects.toMatchObject({
      ...{ name: 'CliError', ...mayLand, exitCode: 5 },
      message: expect.stringMatching(/until 20.*Z/) as string,
    })
  }
  expect(landed).toEqual([])

  const { chain } = machine.fixture
  chain.setTime(chain.time + 1_800n)
  const busy = { code: 'BALANCE_BUSY' }
  await usingBalances(machine.home, ['a'], () => expect(pay('a')).rejects.toMatchObject(busy))
  await pay('a')
  expect(landed).toEqual([recipient])
})
