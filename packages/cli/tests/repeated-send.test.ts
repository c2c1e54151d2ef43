import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceFile } from '../src/balances/balance-files.ts'
import { runBalanceSend } from '../src/commands/balance/send.ts'
import { newWallet, PayingMachine, SENT, VALUE } from './paying-machine.ts'

const OPTIONS = { yes: true, interval: 0.005 }

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

/** A node that fails as soon as the balance's store contains a payment that was made. */
function failingAfterPayment(name: string): unknown {
  const { rpc } = machine.node
  type Request = { readonly send: (...given: unknown[]) => Promise<unknown> }
  return new Proxy(rpc, {
    get: (target, method) => {
      const ask = Reflect.get(target, method) as ((...given: unknown[]) => Request) | undefined
      if (typeof ask !== 'function') return ask
      return (...given: unknown[]) => ({
        send: async (...options: unknown[]) => {
          const text = await readFile(balanceFile(machine.home, name), 'utf8')
          if (text.includes('"step":"paid"')) throw new TypeError('fetch failed')
          return ask.apply(target, given).send(...options)
        },
      })
    },
  })
}

describe('a payment from a balance', () => {
  it('is shown even if the node fails right after it', async () => {
    await machine.open('a', VALUE)
    const named = { name: 'a', amount: '0.1', recipient: await newWallet() }
    const { context, results } = machine.contextOf({ rpc: failingAfterPayment('a') })
    await runBalanceSend(context, named, OPTIONS)
    expect(results).toMatchObject([{ payout: `${SENT}`, paidBefore: false, left: null }])
    expect(machine.holds(named.recipient)).toBe(SENT)
  })

  it.each(['0', '0.0'])('of %s is refused before anything is written', async (amount) => {
    const name = `empty-${amount.length}`
    await machine.open(name, VALUE)
    const before = await readFile(balanceFile(machine.home, name), 'utf8')
    const { context } = machine.contextOf()
    const refused = runBalanceSend(context, { name, amount, recipient: await newWallet() }, OPTIONS)
    await expect(refused).rejects.toMatchObject({ code: 'AMOUNT_INVALID', exitCode: 2 })
    expect(await readFile(balanceFile(machine.home, name), 'utf8')).toBe(before)
  })

  it('is made once if the command is repeated because its result was not written', async () => {
    await machine.open('b', VALUE)
    const named = { name: 'b', amount: '0.1', recipient: await newWallet() }
    const { context: broken } = machine.contextOf()
    const output = { ...broken.output, written: async () => new Error('ENOSPC') }
    await runBalanceSend({ ...broken, output }, named, OPTIONS)
    const { context, results } = machine.contextOf()
    await runBalanceSend(context, named, OPTIONS)
    expect(results).toMatchObject([{ paidBefore: true, key: 'cli-1' }])
    expect(machine.holds(named.recipient)).toBe(SENT)
    // The person has now seen the result, so the same command means another payment.
    await runBalanceSend(context, named, OPTIONS)
    expect(results[1]).toMatchObject({ paidBefore: false, key: 'cli-2' })
    expect(machine.holds(named.recipient)).toBe(2n * SENT)
  })

  it('is not made with the quote of an earlier command if its fee is above --max-fee', async () => {
    await machine.open('c', VALUE)
    const named = { name: 'c', amount: '0.1', recipient: await newWallet() }
    const orderPayment = () => Promise.reject(new Error('no connection'))
    const cut = { ...machine.service(), orderPayment }
    const stopped = runBalanceSend(machine.contextOf({ service: cut }).context, named, OPTIONS)
    await expect(stopped).rejects.toThrow('no connection')
    const { context, results } = machine.contextOf()
    const limited = runBalanceSend(context, named, { ...OPTIONS, maxFee: '0.000001' })
    await expect(limited).rejects.toMatchObject({ code: 'QUOTE_DECLINED' })
    expect(machine.holds(named.recipient)).toBe(0n)
    await runBalanceSend(context, named, OPTIONS)
    expect(results).toMatchObject([{ paidBefore: false }])
  })
})
