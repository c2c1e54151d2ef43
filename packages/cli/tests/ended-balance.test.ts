import { afterAll, beforeAll, expect, it } from 'vitest'
import { saveFacts } from '../src/balances/balance-facts.ts'
import { runBalanceSend } from '../src/commands/balance/send.ts'
import { runBalanceShow } from '../src/commands/balance/show.ts'
import { newWallet, PayingMachine } from './paying-machine.ts'

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

it('a balance that the service does not return is not reported as returned after its end', async () => {
  await machine.open('a', 1_000_000_000n)
  await saveFacts(machine.home, 'a', { isReturned: false, days: 30 })
  const { chain } = machine.fixture
  chain.setTime(chain.time + 3n * 86_400n)
  const { context } = machine.contextOf()
  let shown = ''
  const result = (_value: object, show: () => string) => void (shown = show())
  await runBalanceShow({ ...context, output: { ...context.output, isJson: false, result } }, 'a')
  expect(shown).toContain('sotto recover refund a')
  expect(shown).toContain('or it is lost')
  expect(shown).not.toMatch(/the rest returns|has returned/)
  const named = { name: 'a', amount: '0.1', recipient: await newWallet() }
  const sent = runBalanceSend(context, named, { yes: true, interval: 0.005 })
  const ended = {
    code: 'BALANCE_ENDED',
    message: expect.stringMatching(/can only return/) as string,
  }
  await expect(sent).rejects.toMatchObject(ended)
})
