import type { SpentNote } from '../chain/spent-notes.ts'
import type { BalanceOwner } from './balance-owner.ts'
import { handIn, orderPayment, signatureBody, type OrderedPayment } from './payment-client.ts'
import { pollPayment } from './poll-payment.ts'

const HAND_IN_MS = 20_000

/**
 * Pays equal amounts out of two equal balances of one owner at the same time. The changes of both payments have the
 * same leaf. The service may accept only one of the payments. If both landed, the tree would contain the same leaf
 * twice.
 */
export async function payAlike(
  owners: readonly [BalanceOwner, BalanceOwner],
  notes: readonly [SpentNote, SpentNote],
): Promise<void> {
  const [{ random, stage, api, payees, name }] = owners
  const gross = (notes[0].note.value * BigInt(random.between(125, 500))) / 1_000n
  const order = (place: 0 | 1) => {
    const wanted = { note: notes[place], payee: random.pick(payees), gross }
    return orderPayment(owners[place], { payer: 'service', api }, wanted)
  }
  const [first, second] = await Promise.all([order(0), order(1)])
  stage.trace.add(stage.timeline.nowMs, name, 'pays alike')
  let changeNk: bigint | undefined
  const finish = async (place: 0 | 1, payment: OrderedPayment | undefined) => {
    if (payment === undefined) return
    const owner = owners[place]
    owner.polls.push(pollPayment(owner, payment))
    const signed = owner.sign(notes[place], payment, changeNk)
    changeNk = signed.payment.changeNk
    await stage.timeline.pause(random.below(HAND_IN_MS))
    await handIn(owner, payment, signatureBody(changeNk, signed.signature))
  }
  await Promise.all([finish(0, first), finish(1, second)])
}
