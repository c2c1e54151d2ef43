import { amount, encodeTicket, leafOfNote, sumOf, unixSeconds, type Ticket } from '@sotto/protocol'
import { readFixedPool, ticketAfter } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import type { ChainContext } from './balance-context.ts'
import { balanceHash } from './balance-hash.ts'
import type { BalanceRecord, LapsedPayment, SavedBalance } from './balance-state.ts'
import { secondsIn } from './check-payment.ts'
import type { OwnNote, SpentNote } from './own-note.ts'

type Signed = Pick<LapsedPayment, 'request' | 'trackingId' | 'terms'>

/** The member of the balance's state that changes if a signed payment is dropped. Keeps only payments of its note. */
export const withLapsed = (
  { state }: BalanceRecord,
  key: string,
  { request, trackingId, terms }: Signed,
): Pick<SavedBalance, 'lapsed'> => ({
  lapsed: [
    ...(state.lapsed ?? []).filter(({ terms: other }) => other.leafIndex === terms.leafIndex),
    { key, request, trackingId, terms },
  ],
})

/** The note that a signed payment leaves. */
export function ticketAfterPayment(
  { ticket, nullifier }: OwnNote,
  { terms }: Pick<Signed, 'terms'>,
) {
  const spent = sumOf([amount(BigInt(terms.payout)), amount(BigInt(terms.fee))])
  const validUntil = unixSeconds(secondsIn(terms.validUntil))
  return ticketAfter(balanceHash, ticket, { nullifier, spent, validUntil })
}

export async function leafOf({ rpc }: ChainContext, { program, note }: Ticket): Promise<bigint> {
  return leafOfNote(balanceHash, (await readFixedPool(rpc, program)).domain, note)
}

/** True if the chain shows the payee, the payout and the fee of a signed payment. */
export const isShownAs = (
  { payee, payout, fee }: SpentNote,
  { terms }: Pick<Signed, 'terms'>,
): boolean => payee === terms.payee && `${payout}` === terms.payout && `${fee}` === terms.fee

/**
 * If the payment that the chain shows for this note is a dropped one, returns the changed members of the balance's
 * state: the payment counts as paid after all. Otherwise returns undefined. A node can cause this case: it shows a clock
 * that is ahead, or hides the Nullifier, and later shows the truth. If the payment counted as another holder's, its key
 * would pay again.
 *
 * @param dropped the key of a payment that is dropped in the same write.
 * @throws DisagreementError if the node shows another payee or amount for a payment that left the signed change.
 */
export async function afterLapsed(
  context: ChainContext,
  { state }: BalanceRecord,
  note: OwnNote,
  found: SpentNote,
  dropped?: string,
): Promise<Partial<SavedBalance> | undefined> {
  for (const lapsed of state.lapsed ?? []) {
    if (`${lapsed.terms.leafIndex}` !== `${note.leafIndex}`) continue
    const after = ticketAfterPayment(note, lapsed)
    if ((await leafOf(context, after)) !== found.changeLeaf) continue
    if (!isShownAs(found, lapsed)) throw otherwiseShown()
    const { key, request, trackingId, terms } = lapsed
    const { payout, fee } = terms
    const paid = { trackingId, payout, fee, signature: found.signature }
    const { [dropped ?? key]: _former, ...others } = state.payments
    const payments = { ...others, [key]: { step: 'paid', request, paid } as const }
    return { payments, ticket: encodeTicket(after), leafIndex: null, lapsed: [] }
  }
  return undefined
}

/**
 * The payment that the node shows left exactly the change of the signed payment, but has another payee or amount. Most
 * likely it is the signed payment, and the node lies so that the owner pays twice. So the payment stays saved. It can
 * only be another payment if another holder of the secret paid the same total on the same day.
 */
export const otherwiseShown = () =>
  new DisagreementError(
    'a payment left the change that you signed, but your node shows another payee or amount: use another node. ' +
      'If that node shows the same, another holder of the secret made that payment: restore the balance from its ' +
      'ticket in a new store',
  )
