import { beforeAll, describe, expect, it } from 'vitest'
import type { RecoveryRpc } from '../../recovery/index.ts'
import { Balance, storedBalance } from '../balance.ts'
import { CLOCK_SYSVAR } from '../src/verify/chain-facts.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'
import { FEE } from './balance/paying-service.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n
/** The place of the time in the clock's account, in bytes. */
const TIME_AT = 32
const DAY = 86_400n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

type Value = { readonly data: readonly [string, string] } | null

/**
 * A node that lies about the clock if `isLying` returns true: the clock is a day ahead, and the node doesn't show the
 * account that is read together with the clock and the Pool.
 */
function lyingNode(rpc: RecoveryRpc, isLying: () => boolean): RecoveryRpc {
  const getMultipleAccounts = (addresses: readonly string[], ...more: never[]) => ({
    send: async () => {
      const shown = (await rpc.getMultipleAccounts(addresses as never, ...more).send()) as {
        readonly value: readonly Value[]
      }
      const [clock] = shown.value
      if (addresses[0] !== CLOCK_SYSVAR || !clock || !isLying()) return shown
      const data = Buffer.from(clock.data[0], 'base64')
      data.writeBigInt64LE(data.readBigInt64LE(TIME_AT) + DAY, TIME_AT)
      const late = { ...clock, data: [data.toString('base64'), 'base64'] }
      return { ...shown, value: [late, null, ...shown.value.slice(2)] }
    },
  })
  return new Proxy(rpc, {
    get: (whole, key) =>
      key === 'getMultipleAccounts' ? getMultipleAccounts : (Reflect.get(whole, key) as unknown),
  })
}

/** A balance and a payment. After the payment has landed, the node gives `falseAnswers` false answers. */
async function lapsed(falseAnswers: number, value = VALUE) {
  const opened = await stage.open(value)
  const { service } = opened.paying
  let [left, hasLied] = [0, false]
  const rpc = lyingNode(stage.node.rpc, () => left-- > 0)
  const signPayment: typeof service.signPayment = async (...signed) => {
    const answer = await service.signPayment(...signed)
    if (!hasLied) left = falseAnswers
    hasLied = true
    return answer
  }
  const balance = await opened.reopen({ rpc, service: { ...service, signPayment } })
  return { ...opened, balance, payment: { key: 'first', to: await newWallet(), amount: `${SENT}` } }
}

const uncertain = {
  name: 'DisagreementError',
  message: expect.stringContaining('call forgetUnrecorded') as string,
}

describe('a payment that landed although a node showed that it could not land any more', () => {
  it('is not repeated under its key until it is forgotten', async () => {
    const { balance, payment, store } = await lapsed(1)
    for (let time = 0; time < 2; time += 1) {
      await expect(balance.send(payment)).rejects.toMatchObject(uncertain)
    }
    expect(stage.holds(payment.to)).toBe(SENT)
    const { unrecorded } = (await storedBalance(store))!
    expect(unrecorded).toMatchObject([{ to: payment.to, payout: payment.amount }])
    const other = { key: 'other', to: await newWallet(), amount: '5000000' }
    await balance.send(other)
    expect(stage.holds(other.to)).toBe(5_000_000n)
    await balance.forgetUnrecorded(payment)
    await balance.send(payment)
    expect(stage.holds(payment.to)).toBe(2n * SENT)
  })

  it('is not repeated if the node hides it for longer', async () => {
    const { balance, payment, reopen } = await lapsed(2)
    await expect(balance.send(payment)).rejects.toMatchObject({ code: 'BALANCE_ENDED' })
    const honest = await reopen()
    await expect(honest.send(payment)).rejects.toMatchObject(uncertain)
    expect(stage.holds(payment.to)).toBe(SENT)
  })

  it.each([1, 2])(
    'is not made by another balance as a line of a list, after %i false answers',
    async (count) => {
      const [first, second] = [await lapsed(count, 2n * SENT), await stage.open(SENT + FEE)]
      const other = await second.reopen()
      const { to, amount } = first.payment
      const list = { id: 'list', lines: [{ to, amount }] }
      for (let time = 0; time < 2; time += 1) {
        await expect(Balance.sendAllFrom([first.balance, other], list)).rejects.toMatchObject({
          name: 'DisagreementError',
        })
      }
      expect([stage.holds(to), (await other.state()).value]).toEqual([SENT, SENT + FEE])
    },
  )
})
