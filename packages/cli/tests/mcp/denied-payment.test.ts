import type { BalanceService } from '@sotto/sdk/balance'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDesk } from '../../src/mcp/open-desk.ts'
import { newWallet, PayingMachine, SENT, VALUE } from '../paying-machine.ts'
import { send } from './test-desk.ts'

const KEY = 'invoice'
const LIMITS = {
  ...{ maxPayment: '0.2', maxDay: '0.5', confirmAbove: '0.2' },
  ...{ confirm: 'client' as const, recipients: undefined },
}

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

it('reports a payment as paid that the service denied and then made, although the agent read the balance meanwhile', async () => {
  await machine.open('denied', VALUE)
  const honest = machine.service()
  let held: Parameters<BalanceService['signPayment']> | undefined
  const signPayment: BalanceService['signPayment'] = (...given) => {
    held ??= given
    const denial = { name: 'SottoApiError', code: 'ORDER_NOT_FOUND', retry: 'never' }
    return Promise.reject(Object.assign(new Error('denied'), denial))
  }
  const { context } = machine.contextOf({ service: { ...honest, signPayment } })
  const { desk, state, close } = await openDesk(
    context,
    'denied',
    LIMITS,
    new AbortController().signal,
  )
  const to = await newWallet()
  expect(await send(desk, SENT, { key: KEY, to })).toBe('PAYMENT_MAY_LAND')
  await honest.signPayment(...held!)
  // The tool `balance` calls `state`.
  expect((await state()).value).toBeLessThan(VALUE)
  const { chain } = machine.fixture
  chain.setTime(chain.time + 1_800n)
  expect(await send(desk, SENT, { key: KEY, to })).toBe('paid')
  expect(desk.find(KEY)).toMatchObject({ state: 'paid', paid: { payout: `${SENT}` } })
  await close()
  expect(machine.holds(to)).toBe(SENT)
})
