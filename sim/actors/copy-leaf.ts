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
 * An owner of two equal balances who pays out of the second one, without the service, so that the change has the leaf
 * that a settlement of the first one would append. Then the tree seems to show that the first one is spent. The owner
 * makes no other payment out of the first one.
 */
export async function copyLeaf(owners: Two<BalanceOwner>, notes: Two<SpentNote>): Promise<void> {
  const [{ stage, name, isReturned }] = owners
  const what = isReturned ? 'return' : 'payment'
  stage.trace.add(stage.timeline.nowMs, name, `copies the leaf of a ${what}`)
  return isReturned ? copyReturn(owners, notes) : copyPayment(owners, notes)
}

/**
 * Takes everything out of the second balance, and leaves the same change that the return of the first balance's rest
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
 * Signs a payment whose payee can't be paid, and leaves the same change with a payment out of the second balance.
 */
async function copyPayment([owner, twin]: Two<BalanceOwner>, notes: Two<SpentNote>): Promise<void> {
  const { stage, random, api, payees } = owner
  const [note, other] = notes
  const payee = drawAddress(random)
  const gross = note.note.value / 4n
  const payment = await orderPayment(owner, { payer: 'service', api }, { note, payee, gross })
  if (payment === undefined) return
  owner.held = payment.key
  block(stage, note.note.mint, payee)
  const { payment: signed, signature } = owner.sign(note, payment)
  await handIn(owner, payment, signatureBody(signed.changeNk, signature))
  const wanted = { note: other, payee: random.pick(payees), gross }
  await payAlone(twin, wanted, undefined, signed.changeNk)
}

/** From now on, no payment can reach a wallet. */
function block({ chain }: Stage, mint: string, wallet: string): void {
  chain.intervene((ledger, position) => {
    if (mint === NATIVE_MINT) ledger.turned.write(wallet, position, true)
    else ledger.tokens.write(tokenKey(mint, wallet), position, { balance: 0n, isBlocked: true })
  })
}
