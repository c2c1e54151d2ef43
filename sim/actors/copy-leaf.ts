import { amount, changeNkOf, leftOf, NATIVE_MINT } from '@sotto/protocol'
import { tokenKey } from '../chain/ledger.ts'
import { quickHash } from '../chain/quick-hash.ts'
import type { SpentNote } from '../chain/spent-notes.ts'
import type { BalanceOwner } from './balance-owner.ts'
import { payAlone } from './pay-from-balance.ts'
import { handIn, orderPayment, signatureBody } from './payment-client.ts'
import { drawAddress } from './setting.ts'
import type { Stage } from './stage.ts'

type Two<T> = readonly [T, T]

/**
 * One owner has two equal balances, and pays out of the second balance without the service. For the change of this
 * payment, the owner chooses the secret that a planned settlement of the first balance uses for its change. So both
 * changes have the same leaf. A reader of the tree then wrongly concludes that the first balance's note is spent. The
 * owner makes no other payment out of the first balance.
 */
export async function copyLeaf(owners: Two<BalanceOwner>, notes: Two<SpentNote>): Promise<void> {
  const [{ stage, name, isReturned }] = owners
  const what = isReturned ? 'return' : 'payment'
  stage.trace.add(stage.timeline.nowMs, name, `copies the leaf of a ${what}`)
  return isReturned ? copyReturn(owners, notes) : copyPayment(owners, notes)
}

/**
 * Pays out the whole second balance. The payment's change equals the change that a return of the first balance's rest
 * would leave.
 */
async function copyReturn([owner, twin]: Two<BalanceOwner>, notes: Two<SpentNote>): Promise<void> {
  const [{ note, nullifier }, other] = notes
  const nk = changeNkOf(quickHash, note.nk, nullifier)
  const change = leftOf(note, { nk, value: amount(0n), validUntil: undefined })
  const wanted = { note: other, payee: owner.random.pick(owner.payees), gross: other.note.value }
  await payAlone(twin, wanted, undefined, change.nk)
}

/**
 * Signs a payment out of the first balance to a payee that can't receive it. Then pays out of the second balance, with
 * a change that equals the change of the first payment.
 */
async function copyPayment([owner, twin]: Two<BalanceOwner>, notes: Two<SpentNote>): Promise<void> {
  const { stage, random, api, payees } = owner
  const [note, other] = notes
  const payee = drawAddress(random)
  const gross = note.note.value / 4n
  const payment = await orderPayment(owner, { payer: 'service', api }, { note, payee, gross })
  if (payment === undefined) return
  block(stage, note.note.mint, payee)
  const { payment: signed, signature } = owner.sign(note, payment)
  await handIn(owner, payment, signatureBody(signed.changeNk, signature))
  const wanted = { note: other, payee: random.pick(payees), gross }
  await payAlone(twin, wanted, undefined, signed.changeNk)
}

/** Blocks a wallet. From now on, every payment to the wallet fails. */
function block({ chain }: Stage, mint: string, wallet: string): void {
  chain.intervene((ledger, position) => {
    if (mint === NATIVE_MINT) ledger.turned.write(wallet, position, true)
    else ledger.tokens.write(tokenKey(mint, wallet), position, { balance: 0n, isBlocked: true })
  })
}
