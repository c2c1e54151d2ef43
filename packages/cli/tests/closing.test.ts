import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBalanceClose } from '../src/commands/balance/close.ts'
import { runBalanceShow } from '../src/commands/balance/show.ts'
import { explainFailure, type Failure } from '../src/explain-failure.ts'
import { PayingMachine } from './paying-machine.ts'

const FAST = { yes: true, interval: 0.005 }

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

it('completes a closing payment that an earlier command signed', async () => {
  await machine.open('a', 1_000_000_000n)
  const { paying } = machine
  const end = new AbortController()
  paying.isStuck = true
  const stopped = runBalanceClose(machine.contextOf({}, end.signal).context, 'a', FAST)
  stopped.catch(() => undefined)
  while (paying.ordersMade === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  end.abort(new Error('Ctrl-C'))
  await expect(stopped).rejects.toThrow('Ctrl-C')
  paying.isStuck = false
  const { context, results } = machine.contextOf()
  await runBalanceClose(context, 'a', { ...FAST, all: true })
  expect(results).toMatchObject([{ kind: 'close', balance: 'a' }])
  expect(paying.ordersMade).toBe(1)
})

it('does not say that the residue of a closed balance returns, and advises against fetching it', async () => {
  await machine.open('c', 1_000_000_000n)
  await runBalanceClose(machine.contextOf().context, 'c', FAST)
  const { context } = machine.contextOf()
  let table = ''
  const result = (_shown: unknown, render: () => string) => void (table = render())
  const output = Object.create(context.output, {
    isJson: { value: false },
    result: { value: result },
  }) as typeof context.output
  await runBalanceShow({ ...context, output }, 'c')
  expect(table).toContain('closed')
  expect(table.replaceAll(/\s+/g, ' ')).toContain('Don’t fetch it with the ticket')
  expect(table).not.toMatch(/rest at the end|returns to|recover refund|\bends\b/)
})

it('names --all if the service refuses to pay less than the whole rest', async () => {
  await machine.open('b', 1_000_000_000n)
  const refusal = { name: 'SottoApiError', code: 'AMOUNT_OUT_OF_RANGE', retry: 'never' }
  const quote = () => Promise.reject(Object.assign(new Error('too small'), refusal))
  const service = { ...machine.service(), quote }
  const failed = await runBalanceClose(machine.contextOf({ service }).context, 'b', FAST).catch(
    (error: unknown) => explainFailure(error, false),
  )
  expect(failed).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE', exitCode: 4 })
  expect((failed as Failure).next).toContain('--all')
})
