import {
  changeNkOf,
  leafOfNote,
  nullifierAddress,
  paymentMessage,
  settleInputs,
  signPayment,
  type Address,
  type Amount,
  type Ticket,
  NOTHING,
  takeOut,
} from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { assertAcceptedProgram } from './accepted-program.ts'
import { readPlausibleClock } from './chain-time.ts'
import { assertUsablePayee } from './check-payee.ts'
import { landSettlement, type OwnSettlements, type PreparedSettlement } from './land-settlement.ts'
import type { Landing } from './landing.ts'
import { againstLastingRoot } from './lasting-root.ts'
import { newestOfBalance, secretOf, ticketAfter, type MadePayment } from './newest-of-balance.ts'
import { RecoveryError } from './recovery-error.ts'
import { sendSettlement } from './send-settlement.ts'
import { settlementTime } from './settlement-time.ts'
import type { TicketUse } from './ticket-use.ts'

export interface BalancePayment extends TicketUse {
  readonly payee: Address
  /** Base units of the ticket's mint. */
  readonly payout: Amount
  /** True to make the payment even if the balance has made the same payment since the ticket's note. */
  readonly again?: boolean | undefined
  /**
   * The signatures of the balance's payments that a person has checked; null for a payment whose signature the node
   * didn't show. None of these payments counts as the payment that this call makes. Each entry stands for one payment,
   * because a node could show one signature for several payments.
   */
  readonly except?: readonly (string | null)[] | undefined
  /**
   * The Nullifier accounts of the notes with which earlier calls have tried to make this payment: see
   * `LandingStep.nullifier`. If one of these notes is spent, this call doesn't pay, even if the node shows a different
   * payment. The list is ignored if `again` is set.
   */
  readonly tried?: readonly Address[] | undefined
}

export interface PaidFromBalance {
  readonly signature: Signature
  /** The ticket of the payment's change note. Keep it as secret as the original ticket. */
  readonly ticket: Ticket
}

/**
 * Makes a payment from a balance. It needs only one of the balance's tickets, and an RPC endpoint. The payment has no
 * service fee. This fee of 0 is public on the chain, so anyone can recognise such a payment. The signature is made with
 * the owner's secret in the ticket. The rest stays in the pool. If you don't know whether a payment landed, call the
 * function again with the same ticket, but without `again`: the payment is made at most once. If the node may return
 * false answers, also pass `tried`.
 *
 * @returns once the transaction is broadcast.
 * @throws RecoveryError as `newestOfBalance` does; BALANCE_TOO_SMALL if `payout` is 0 or exceeds the balance; TOO_LATE
 *   if the balance has expired; PAID_BEFORE: see `assertUnpaid`; PAYEE_UNUSABLE if the payee can't be a wallet;
 *   CLOCK_DIFFERS if the node's clock is more than an hour from this machine's clock.
 */
export function payFromBalance(payment: BalancePayment): Promise<PaidFromBalance> {
  return againstLastingRoot(payment, async (one) => {
    const { settlement, resultOf } = await preparePayment(one)
    return resultOf(await sendSettlement(settlement))
  })
}

/**
 * Makes a payment as `payFromBalance` does, and waits until the chain confirms it. If the payment doesn't land, the
 * function sends it again, and later makes a new payment with a higher fee: see `landSettlement`. Even with `again`,
 * one call pays at most once: if one of its settlements has landed, the call returns that settlement.
 *
 * @throws the errors of `payFromBalance`; LandingError.
 */
export const landPayment = (payment: BalancePayment, landing?: Landing): Promise<PaidFromBalance> =>
  landSettlement(payment, preparePayment, landing)

/**
 * Checks that the payment isn't made yet. `own` has the Nullifier accounts of the notes with which this call has tried
 * to pay. `tried` has the Nullifier accounts of the notes with which earlier calls have tried to pay.
 *
 * @throws RecoveryError PAID_BEFORE in two cases: the balance has made an equal payment and `again` isn't set, or one
 *   of the tried notes is spent. In the second case, the payee and the amount that the node shows don't matter. If they
 *   did, a node that shows a false payee or amount could cause a second payment. A payment that `except` names causes
 *   an error only if this call itself has tried to spend the payment's note.
 */
async function assertUnpaid(
  payments: readonly MadePayment[],
  { own, tried }: { readonly own: ReadonlySet<Address>; readonly tried: ReadonlySet<Address> },
  { payee, payout, again, except = [], ticket: { program } }: BalancePayment,
): Promise<void> {
  const unused = [...except]
  for (const one of payments) {
    const account = await nullifierAddress(program, one.nullifier)
    const isEqual = one.payee === payee && one.payout === payout
    if (!own.has(account)) {
      if (!tried.has(account) && (again === true || !isEqual)) continue
      if (takeOut(unused, one.signature ?? null)) continue
    }
    const message = isEqual
      ? 'this balance has paid the same amount to the same payee already'
      : 'the note of this payment is spent, and the endpoint shows that it paid another payee or amount: ask another ' +
        'endpoint which payment was made, before you pay again'
    throw new RecoveryError('PAID_BEFORE', message, one)
  }
}

/**
 * Finds the balance's newest note, and signs and proves the payment.
 * @param own the payments that the same call has sent.
 * @throws RecoveryError PAID_BEFORE: see `assertUnpaid`.
 */
async function preparePayment(
  payment: BalancePayment,
  own: OwnSettlements<unknown> = new Map(),
): Promise<PreparedSettlement<PaidFromBalance>> {
  const { rpc, poseidon, payer, payee, payout } = payment
  await assertAcceptedProgram(rpc, payment.ticket.program, payment)
  const { ticket, nullifier, position, root, chain, payments } = await newestOfBalance(payment)
  const { note } = ticket
  const before = {
    own: new Set(Array.from(own.values(), (one) => one.signed.nullifier)),
    tried: new Set(payment.again === true ? [] : payment.tried),
  }
  await assertUnpaid(payments, before, payment)
  const secret = secretOf(ticket)
  if (payout < 1n || payout > note.value) {
    const message = `a payment from this balance must be from 1 to ${note.value} base units`
    throw new RecoveryError('BALANCE_TOO_SMALL', message)
  }
  await assertUsablePayee(rpc, { program: ticket.program, mint: note.mint, payee })
  const time = settlementTime('pay', await readPlausibleClock(payment), note.expiry)
  const after = ticketAfter(poseidon, ticket, { nullifier, spent: payout, validUntil: time })
  const changeLeaf = leafOfNote(poseidon, chain.domain, after.note)
  // The signature is valid until the proof's public time, so the payment can land only until then.
  const signed = { nullifier, payee, payout, fee: NOTHING, changeLeaf, validUntil: time }
  const signature = signPayment(poseidon, secret, paymentMessage(poseidon, signed))
  const inputs = settleInputs(poseidon, chain.domain, note, position, {
    ...{ kind: 'pay', time, payee, payout, fee: NOTHING, validUntil: time, signature },
    changeNk: changeNkOf(poseidon, secret, nullifier),
  })
  const proof = await payment.prove(inputs)
  return {
    settlement: { rpc, payer, chain, mint: note.mint, root, payee, inputs, proof, limits: payment },
    resultOf: (sent) => ({ signature: sent, ticket: after }),
  }
}
