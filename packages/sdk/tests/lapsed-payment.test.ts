import { beforeAll, describe, expect, it } from 'vitest'
import type { RecoveryRpc } from '../../recovery/index.ts'
import { Balance, storedBalance } from '../balance.ts'
import { newWallet, PayingStage } from './balance/live-balance.ts'
import { lyingNode } from './balance/lying-node.ts'
import { FEE } from './balance/paying-service.ts'

const VALUE = 1_000_000_000n
const SENT = 100_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

/** A node that shows each settlement under the signature that `shownOf` returns, if it returns one. */
function renamingNode(rpc: RecoveryRpc, shownOf: () => string | undefined): RecoveryRpc {
  let last = ''
  const getSignaturesForAddress = (...asked: never[]) => ({
    send: async () => {
      const [address, ...more] = asked
      const found = await rpc.getSignaturesForAddress(address as never, ...more).send()
      last = found[0]?.signature ?? last
      return found.map((one) => ({ ...one, signature: shownOf() ?? one.signature }))
    },
  })
  const getTransaction = (signature: string, ...more: never[]) =>
    rpc.getTransaction((shownOf() === undefined ? signature : last) as never, ...more)
  const changed: Readonly<Record<string, unknown>> = { getSignaturesForAddress, getTransaction }
  return new Proxy(rpc, {
    get: (whole, key) => changed[String(key)] ?? (Reflect.get(whole, key) as unknown),
  })
}

/**
 * A balance and a payment. After the payment has landed, the node gives `falseAnswers` false answers. Once
 * `shown.under` is set, the node shows each settlement under this signature.
 */
async function lapsed(falseAnswers: number, value = VALUE) {
  const shown: { under: string | undefined } = { under: undefined }
  const opened = await stage.open(value)
  const { service } = opened.paying
  let [left, hasLied] = [0, false]
  const renaming = renamingNode(stage.node.rpc, () => shown.under)
  const rpc = lyingNode(renaming, () => left-- > 0)
  const signPayment: typeof service.signPayment = async (...signed) => {
    const answer = await service.signPayment(...signed)
    if (!hasLied) left = falseAnswers
    hasLied = true
    return answer
  }
  const balance = await opened.reopen({ rpc, service: { ...service, signPayment } })
  const payment = { key: 'first', to: await newWallet(), amount: `${SENT}` }
  return { ...opened, balance, payment, shown }
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

  it('is not repeated if the node shows it under the signature of another payment, which `except` names', async () => {
    const { balance, payment, elsewhere, shown } = await lapsed(1)
    const other = await (await elsewhere()).send({ ...payment, key: 'other' })
    shown.under = other.signature!
    const sent = balance.send({ ...payment, except: [other.signature] })
    await expect(sent).rejects.toMatchObject(uncertain)
    expect(stage.holds(payment.to)).toBe(2n * SENT)
  })

  it.each([1, 2])(
    'is not made again out of another balance as part of a list, after %i false answers',
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
