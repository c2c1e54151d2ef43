import { afterAll, beforeAll, expect, it } from 'vitest'
import { runBalanceClose } from '../src/commands/balance/close.ts'
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
