import { MEMORY, mutant, PAY_STORE, SETTLEMENT, type Mutant } from './mutant.ts'

const PAID_FROM = `${SETTLEMENT}/notes/paid-from.ts`
const END = `${SETTLEMENT}/pay/end-payment.ts`
const PAYMENTS = `${MEMORY}/memory-payment-store.ts`
const RESEAL = `${SETTLEMENT}/upkeep/reseal-stragglers.ts`
const USECASES = 'packages/server/src/usecases/payment'

/** Bugs in balances and in payments out of them. */
export const OF_BALANCES: readonly Mutant[] = [
  mutant(
    'reserves_no_notes',
    PAYMENTS,
    "if (!tryReserve(database, reservations, payment.validUntil)) return 'note_in_use'",
    '',
    100,
  ),
  mutant(
    'lets_two_payments_leave_one_change',
    PAYMENTS,
    "if (!tryReserve(database, changeNames, payment.validUntil)) return 'change_in_use'",
    '',
    100,
  ),
  mutant(
    'keeps_the_end_that_a_payment_moved_on',
    PAID_FROM,
    'note: { nk, value, deadline, expiry, leafIndex, isLeft }',
    'note: { nk, value, deadline: spent.deadline, expiry: spent.expiry, leafIndex, isLeft }',
    100,
  ),
  mutant(
    'frees_notes_early',
    `${MEMORY}/record-step.ts`,
    'if (validUntil < endedBefore) reservedNotes.delete(name)',
    'if (validUntil < endedBefore + 900n) reservedNotes.delete(name)',
    200,
  ),
  mutant(
    'reserves_notes_for_one_hour',
    `${USECASES}/reserved-names.ts`,
    'return [secrets, before].flatMap(',
    'return [secrets, before].slice(0, 1).flatMap(',
    400,
  ),
  mutant(
    'takes_any_signature',
    `${USECASES}/sign-payment.ts`,
    "throw new ServiceError('SIGNATURE_INVALID')",
    '',
    60,
  ),
  mutant(
    'forgets_what_a_payment_left',
    PAY_STORE,
    'if (paidFrom !== undefined) replacePlan(database, paidFrom)',
    '',
    120,
  ),
  mutant(
    'keeps_the_fee_in_the_balance',
    PAID_FROM,
    'const value = without(spent.value, sumOf([payment.payout, payment.fee]))',
    'const value = spent.value - payment.payout',
    60,
  ),
  mutant(
    'forgets_the_newest_note_at_the_end',
    `${SETTLEMENT}/pay/refund.ts`,
    'encodePlan({ deliverAtMs: nowMs, reason, note })',
    'encodePlan({ deliverAtMs: nowMs, reason })',
    100,
  ),
  mutant(
    'counts_no_payments',
    PAY_STORE,
    'if (outcome.isLandedPayment === true) database.paymentsLanded += 1',
    '',
    120,
  ),
  mutant(
    'counts_no_balances_that_owners_keep',
    PAY_STORE,
    'database.keep(balance.mint, balance.left, balance.isSettled === true)',
    '',
    60,
  ),
  mutant(
    'takes_the_owners_own_payment_for_the_ordered_one',
    END,
    "if (isOther) return 'other'",
    '',
    400,
  ),
  mutant(
    'expires_payments_before_their_end',
    END,
    'if (clock <= payment.validUntil) return false',
    'if (clock <= payment.validUntil - 900n) return false',
    100,
  ),
  mutant(
    'returns_what_only_the_owner_may_return',
    `${SETTLEMENT}/notes/opened-order.ts`,
    'terms.isUnkept === true || note.value',
    'note.value',
    100,
  ),
  mutant(
    'takes_an_equal_leaf_for_a_settlement',
    `${SETTLEMENT}/pay/refund.ts`,
    'const tried = encodePlan({ deliverAtMs: nowMs, reason, note, isRefundTried: true })',
    'const tried = encodePlan({ deliverAtMs: nowMs, reason, note })',
    200,
  ),
  mutant(
    'accuses_nodes_of_hiding_an_equal_leaf',
    `${SETTLEMENT}/pay/refund.ts`,
    'await d.store.tryReplacePlan(lease, sealedTry, order.sealedPlan)',
    "d.log.alert('nodes_disagree', nameOf(opened)); await d.store.tryReplacePlan(lease, sealedTry, order.sealedPlan)",
    200,
  ),
  mutant(
    'holds_a_payment_open_for_an_equal_leaf',
    END,
    'return clock >= end + DENIED_SECONDS && unixSeconds >= first + DENIALS_SECONDS',
    'return false',
    300,
  ),
  mutant(
    'never_changes_the_key_of_a_living_balance',
    RESEAL,
    'if (end >= times.late && !mayChangeKey(order, end, current, times.now)) return',
    'if (end >= times.late) return',
    200,
  ),
  mutant(
    'changes_the_key_of_a_living_balance_too_early',
    RESEAL,
    'current - hourOfEpoch(epoch) >= KEPT_EPOCHS &&',
    'current - hourOfEpoch(epoch) >= KEPT_EPOCHS - 24 &&',
    400,
  ),
  mutant(
    'seals_top_ups_with_the_key_of_transfers',
    'packages/server/src/usecases/order/draft-order.ts',
    'topUp === undefined ? hourSecrets : await d.secrets.forNewOrder(topUpEpochAt(nowMs))',
    'hourSecrets',
    100,
  ),
  mutant(
    'reseals_balances_with_the_key_of_transfers',
    RESEAL,
    'terms.owner === undefined ? current : topUpEpochOf(current)',
    'current',
    200,
  ),
]
