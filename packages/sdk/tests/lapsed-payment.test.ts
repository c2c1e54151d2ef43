import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecoveryRpc } from '../../recovery/index.ts'
import { storedBalance } from '../balance.ts'
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
afterAll(() => stage?.stop())

type Value = { readonly data: readonly [string, string] } | null

/**
 * A node that shows, while `isLying` is true, a clock that is a day ahead, and no other account that is read with the
 * clock.
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
      return { ...shown, value: [late, ...shown.value.slice(1).map(() => null)] }
    },
  })
  return new Proxy(rpc, {
    get: (whole, key) =>
      key === 'getMultipleAccounts' ? getMultipleAccounts : (Reflect.get(whole, key) as unknown),
  })
}

/** A balance, and a payment after whose landing the node gives so many false answers. */
async function lapsed(falseAnswers: number) {
  const opened = await stage.open(VALUE)
  const { service } = opened.paying
  let left = 0
  const rpc = lyingNode(stage.node.rpc, () => left-- > 0)
  const signPayment: typeof service.signPayment = async (...signed) => {
    const answer = await service.signPayment(...signed)
    left = falseAnswers
    return answer
  }
  const balance = await opened.reopen({ rpc, service: { ...service, signPayment } })
  return { ...opened, balance, payment: { key: 'first', to: await newWallet(), amount: `${SENT}` } }
}

describe('a payment that landed although a node showed that it could not land any more', () => {
  it('is made once, and counts as paid', async () => {
    const { store, balance, payment } = await lapsed(1)
    await balance.send(payment)
    await balance.send(payment)
    expect(stage.holds(payment.to)).toBe(SENT)
    const state = await balance.state()
    expect(state.value).toBe(VALUE - SENT - FEE)
    expect(state.paid.get('first')).toMatchObject({ payout: `${SENT}` })
    expect((await storedBalance(store))!.unrecorded).toEqual([])
  })

  it('counts as paid if another payment follows it first, and its key makes no other payment', async () => {
    const { balance, payment, reopen } = await lapsed(2)
    await expect(balance.send(payment)).rejects.toMatchObject({ code: 'BALANCE_ENDED' })
    await expect(balance.send({ ...payment, amount: '1' })).rejects.toMatchObject({
      code: 'KEY_REUSED',
    })
    const honest = await reopen()
    const other = { key: 'other', to: await newWallet(), amount: '5000000' }
    await honest.send(other)
    await honest.send(payment)
    expect([stage.holds(payment.to), stage.holds(other.to)]).toEqual([SENT, 5_000_000n])
    expect((await honest.state()).paid.size).toBe(2)
  })
})
