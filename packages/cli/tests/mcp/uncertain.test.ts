import type { Address } from '@sotto/protocol'
import { memoryBalance, openBalance, restoreBalance, type BalanceService } from '@sotto/sdk/balance'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedProver } from '../../../../testing/prover/shared-prover.ts'
import { FEE, PayingService } from '../../../sdk/tests/balance/paying-service.ts'
import { balanceStore } from '../../src/balances/balance-files.ts'
import { openDesk, type OpenDesk } from '../../src/mcp/open-desk.ts'
import { newWallet, PayingMachine, SENT, VALUE } from '../paying-machine.ts'
import { send } from './test-desk.ts'

const KEY = 'invoice'
const LIMITS = {
  ...{ maxPayment: '0.2', maxDay: '0.5', confirmAbove: '0.2' },
  ...{ confirm: 'client' as const, recipients: undefined },
}
/** The daily limit minus the most that the payment may take: the amount, the fee and a quarter of the fee. */
const LEFT = 500_000_000n - SENT - FEE - FEE / 4n

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

/** A service that refuses each signature while `isLost` is true. */
class LossyService {
  isLost = true
  readonly #service = machine.service()

  get service() {
    const signPayment: BalanceService['signPayment'] = (...given) =>
      this.isLost
        ? Promise.reject(Object.assign(new Error('lost'), { code: 'LOST', retry: 'never' }))
        : this.#service.signPayment(...given)
    return { ...this.#service, signPayment }
  }
}

const open = (name: string, service: unknown = machine.service()): Promise<OpenDesk> =>
  openDesk(machine.contextOf({ service }).context, name, LIMITS, new AbortController().signal)

/** Makes the same payment with another fee, out of another copy of the balance. */
async function payElsewhere(ticket: string, to: Address): Promise<string | null> {
  const { node, fixture } = machine
  const { service } = new PayingService(node, fixture.chain, await sharedProver())
  const quote: BalanceService['quote'] = async (...asked) => {
    const { quote: dear, ...answer } = await service.quote(...asked)
    const amountIn = `${BigInt(dear.amountIn) - 1n}`
    return { ...answer, quote: { ...dear, amountIn, fee: `${BigInt(dear.fee) - 1n}` } }
  }
  const copy = await restoreBalance({
    ...{ ticket, store: memoryBalance(), programId: fixture.chain.program, rpc: node.rpc },
    ...{ service: { ...service, quote }, approve: () => true, pollMs: 5 },
  })
  return (await copy.send({ key: 'copy', to, amount: `${SENT}` })).signature
}

/** Forgets the unrecorded payment, as `sotto balance send --again` does. */
async function clear(name: string, to: Address, signature: string | null): Promise<void> {
  const store = balanceStore(machine.home, name)
  const { node, fixture } = machine
  const balance = await openBalance({
    ...{ store, service: machine.service(), rpc: node.rpc },
    ...{ programId: fixture.chain.program, acceptedPrograms: [], approve: () => true },
  })
  await balance.forgetUnrecorded({ to, amount: `${SENT}` }, [signature])
  store.release()
}

it('never pays a signed payment again if a restart shows that an equal payment spent its note', async () => {
  const [ticket, to] = [await machine.open('restarted', VALUE), await newWallet()]
  const first = await open('restarted', new LossyService().service)
  expect(await send(first.desk, SENT, { key: KEY, to })).toBe('PAYMENT_MAY_LAND')
  await first.close()
  const signature = await payElsewhere(ticket, to)

  const second = await open('restarted')
  expect(second.desk.find(KEY)).toMatchObject({ state: 'uncertain' })
  expect(second.desk.leftToday).toBe(LEFT)
  await second.close()
  await clear('restarted', to, signature)

  const third = await open('restarted')
  expect(await send(third.desk, SENT, { key: KEY, to })).toBe('OUTCOME_UNKNOWN')
  expect(third.desk.leftToday).toBe(LEFT)
  await third.close()
  expect(machine.holds(to)).toBe(SENT)
})

it('marks the signed payment, not the next one, as uncertain if the next one finds the note spent', async () => {
  const [ticket, to, other] = [
    await machine.open('next', VALUE),
    await newWallet(),
    await newWallet(),
  ]
  const lossy = new LossyService()
  const { desk, close } = await open('next', lossy.service)
  expect(await send(desk, SENT, { key: KEY, to })).toBe('PAYMENT_MAY_LAND')
  const signature = await payElsewhere(ticket, to)
  lossy.isLost = false

  expect(await send(desk, SENT, { key: 'next', to: other })).toBe('SPENT_ELSEWHERE')
  expect(desk.find('next')).toMatchObject({ state: 'not_paid' })
  expect(desk.find(KEY)).toMatchObject({ state: 'uncertain' })
  expect(desk.leftToday).toBe(LEFT)
  expect(await send(desk, SENT, { key: 'next', to: other })).toBe('paid')
  await close()
  await clear('next', to, signature)

  const again = await open('next')
  expect(await send(again.desk, SENT, { key: KEY, to })).toBe('OUTCOME_UNKNOWN')
  await again.close()
  expect([machine.holds(to), machine.holds(other)]).toEqual([SENT, SENT])
})
