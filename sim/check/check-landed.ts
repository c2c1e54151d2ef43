import type { Evidence } from './evidence.ts'
import { decodeTerms } from '../../packages/server/src/domain/order-secrets.ts'
import { unsealed } from '../run/keystore.ts'
import { notesOf, truthOf } from './notes.ts'
import type { Fail } from './verdict.ts'

/**
 * Checks invariants I2 to I5 and I8 for all landed transactions. Also checks that relayers pay only for token accounts
 * whose creation the order has paid for.
 */
export function checkLanded(evidence: Evidence, fail: Fail): void {
  for (const [key, note] of notesOf(evidence)) {
    const { deposits, settlements } = truthOf(evidence, key, note, Infinity)
    if (deposits.length > 1) fail('I4: an order has at most one deposit', key)
    if (settlements.length > 1) fail('I2: no note is settled twice', key)
    const status = evidence.memory.database.orders.get(key)?.status
    if (deposits.length > 0 && status === 'expired')
      fail('I8: an expired order has no deposit', key)
    for (const { transaction, unixSeconds, hasOpened } of settlements) {
      const { message, feePayer } = transaction
      if (message.kind !== 'settle') continue
      const { payee, payout, fee, isRefund } = message.settlement
      const isOurs = evidence.parties.relayers.some(({ address }) => address === feePayer)
      if (isOurs && hasOpened && (isRefund || !hasPaidForAccount(evidence, key)))
        fail('relayers pay only for accounts that the order paid for', key)
      if (note.claim.kind !== 'transfer') continue
      const { recipient, amountOut } = note.claim
      const isRight = isRefund
        ? payee === note.sender && payout === note.value
        : payee === recipient && payout === amountOut
      if (!isRight) fail('I3: a settlement pays the committed payee and amount', key)
      if (payout + fee !== note.value) fail('a transfer settles its whole value', key)
      if (isRefund !== unixSeconds > note.expiry)
        fail('I5: deliveries land until the expiry, refunds after it', key)
    }
  }
}

/** True if the order's network fee includes the creation of the recipient's token account. */
function hasPaidForAccount({ memory }: Evidence, key: string): boolean {
  const sealed = memory.database.orders.get(key)?.sealedTerms
  // The service clears an order's data long after its settlement. The settlement was already checked when it landed.
  if (sealed === undefined || sealed.length === 0) return true
  return !decodeTerms(unsealed(sealed)).accountExisted
}
