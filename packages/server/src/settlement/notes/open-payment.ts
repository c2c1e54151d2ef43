import { leafOfNote, leftOf, nullifierOf, type Poseidon, sumOf, without } from '@sotto/protocol'
import { decodePlan } from '../../domain/order-secrets.ts'
import { balanceTicket, decodePayment } from '../../domain/payment-terms.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { OpenPayment } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from './opened-order.ts'

/**
 * Opens a signed payment. The result has the form of an order. Its note is the balance's note that the payment spends,
 * and its payee is the payee that the owner signed. So the code for deliveries also proves, journals and confirms
 * payments.
 *
 * @throws Error if the payment isn't signed, or can't be opened.
 */
export function openPayment(
  {
    poseidon,
    pool: { domain },
  }: { readonly poseidon: Poseidon; readonly pool: { readonly domain: Uint8Array } },
  open: OpenPayment,
  secrets: EpochSecrets,
): OpenedOrder {
  const { orderId, validUntil } = open
  const { ticket, leafIndex, payee, payout, fee, accountExisted, signed } = decodePayment(
    secrets.open(orderId, 'payment', open.sealedTerms),
  )
  if (signed === undefined) throw new Error('a payment without a signature is listed as signed')
  const { note, orderId: balanceId } = balanceTicket(ticket)
  const rest = without(note.value, sumOf([payout, fee]))
  const change = leftOf(note, { nk: signed.changeNk, value: rest, validUntil })
  const { sender, mint, value, deadline, expiry } = note
  return {
    order: {
      ...open,
      ...{ sender, sourceMint: mint, destinationMint: mint, value, deadline, expiry },
      ...{ amountOut: payout, leafIndex },
    },
    ...{ secrets, note, leafIndex, balanceId },
    terms: { recipient: payee, accountExisted, minDelaySeconds: 0, maxDelaySeconds: 0 },
    plan: decodePlan(secrets.open(orderId, 'plan', open.sealedPlan)),
    nullifier: nullifierOf(poseidon, note.nk, BigInt(leafIndex)),
    leaf: leafOfNote(poseidon, domain, note),
    changeLeaf: leafOfNote(poseidon, domain, change),
    payment: { ...{ payee, payout, fee }, validUntil, ...signed },
  }
}
