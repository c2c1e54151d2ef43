import type { BalanceService } from '@sotto/sdk/balance'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Crash } from '../../sdk/tests/balance/crashing.ts'
import { useBalance } from '../src/balances/use-balance.ts'
import { runBalanceSend } from '../src/commands/balance/send.ts'
import { runPayrollPay } from '../src/commands/payroll/pay.ts'
import { explainFailure } from '../src/explain-failure.ts'
import { newWallet, PayingMachine, PAYROLL_OPTIONS as FAST } from './paying-machine.ts'

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

it('does not pay a line from a second balance while the first balance may still pay it', async () => {
  await machine.open('b', 1_000_000_000n)
  await machine.open('d', 1_000_000_000n)
  const to = await newWallet()
  const file = join(machine.home, 'november.csv')
  await writeFile(file, `recipient,amount\n${to},0.1\n`)
  const lost: string[] = []
  const cut: BalanceService = {
    ...machine.service(),
    signPayment: (trackingId) => {
      lost.push(trackingId)
      return Promise.reject(Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' }))
    },
  }
  const stopped = runPayrollPay(machine.contextOf({ service: cut }).context, file, {
    ...FAST,
    from: ['b'],
  })
  await expect(stopped).rejects.toMatchObject({ name: 'LineError' })

  const { signPayment } = machine.paying.service
  const forgetting: BalanceService = {
    ...machine.service(),
    signPayment: (trackingId, ...signed) => {
      const unknown = { code: 'ORDER_NOT_FOUND', retry: 'never' }
      if (!lost.includes(trackingId)) return signPayment(trackingId, ...signed)
      return Promise.reject(Object.assign(new Error('no such order'), unknown))
    },
  }
  const { context, results } = machine.contextOf({ service: forgetting })
  const other = runPayrollPay(context, file, { ...FAST, from: ['d'] })
  const error: unknown = await other.catch((reason: unknown) => reason)
  expect(explainFailure(error, false)).toMatchObject({
    code: 'PAYMENT_MAY_LAND',
    message: expect.stringMatching(/until 20.*Z/) as string,
    next: expect.stringContaining('after that time') as string,
  })
  const sent = { name: 'b', amount: '0.1', recipient: await newWallet() }
  await expect(runBalanceSend(context, sent, FAST)).rejects.toMatchObject({
    code: 'PAYMENT_MAY_LAND',
  })
  expect(machine.holds(to)).toBe(0n)

  const { chain } = machine.fixture
  chain.setTime(chain.time + 1_800n)
  // If the node lies and the signed payment has landed, only the first balance would notice that the line was paid.
  await expect(runPayrollPay(context, file, { ...FAST, from: ['d'] })).rejects.toMatchObject({
    code: 'LINE_UNCERTAIN',
    message: expect.stringContaining('--from') as string,
  })
  expect(await runPayrollPay(context, file, { ...FAST, from: ['b'] })).toBe(0)
  expect(machine.holds(to)).toBe(100_000_000n)
  expect(results).toMatchObject([{ paidNow: 1 }])
})

it('does not pay a line of a corrected list while the first list may still pay it', async () => {
  for (const name of ['e', 'f']) await machine.open(name, 1_000_000_000n)
  const payees = [await newWallet(), await newWallet()]
  const listOf = async (name: string, rows: readonly string[]) => {
    const file = join(machine.home, `${name}.csv`)
    await writeFile(file, `recipient,amount\n${rows.join('\n')}\n`)
    return file
  }
  const wrong = await listOf('wrong', [`${payees[0]},0.1`])
  const right = await listOf('right', [`${payees[0]},0.1`, `${payees[1]},0.2`])
  const cut: BalanceService = {
    ...machine.service(),
    signPayment: () =>
      Promise.reject(Object.assign(new Crash('cut'), { code: 'CUT', retry: 'never' })),
  }
  const stopped = runPayrollPay(machine.contextOf({ service: cut }).context, wrong, {
    ...{ ...FAST, from: ['e'] },
  })
  await expect(stopped).rejects.toMatchObject({ cause: { code: 'PAYMENT_MAY_LAND' } })

  const pay = (more: object = {}) =>
    runPayrollPay(machine.contextOf().context, right, { ...FAST, from: ['f'], ...more })
  const overlaps = {
    ...{ code: 'LIST_OVERLAPS', next: expect.stringContaining('list:wrong') as string },
    message: 'the list "wrong" has paid or signed the same payments as line 2',
  }
  await expect(pay()).rejects.toMatchObject(overlaps)
  // The node shows that the signed payment can't land any more. But the node may be wrong.
  const { chain } = machine.fixture
  chain.setTime(chain.time + 1_800n)
  const { balance } = await useBalance(machine.contextOf().context, 'e', {
    ...{ interval: FAST.interval, approve: () => true },
  })
  await balance.state()
  await expect(pay()).rejects.toMatchObject(overlaps)
  expect(payees.map((to) => machine.holds(to))).toEqual([0n, 0n])
  expect(await pay({ again: ['list:wrong'] })).toBe(0)
  expect(payees.map((to) => machine.holds(to))).toEqual([100_000_000n, 200_000_000n])
})
