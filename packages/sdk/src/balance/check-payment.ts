import type { Payment, Quote } from '@sotto/contract'
import {
  MAX_DEPOSIT_SECONDS,
  parseAmount,
  renewedDeadline,
  TIME_GRID_SECONDS,
  type Note,
  amount,
  unixSeconds,
  type Amount,
  type UnixSeconds,
} from '@sotto/protocol'
import { secondsOfIso } from '../host/iso-time.ts'
import type { PaymentRequest } from './balance-state.ts'
import { PaymentRefusedError } from './errors.ts'

/** The terms of a payment as numbers. `validUntil` is in seconds since 1970. */
export interface CheckedPayment {
  readonly payout: Amount
  readonly fee: Amount
  readonly change: Amount
  readonly validUntil: UnixSeconds
}

export interface PaymentToCheck {
  readonly request: PaymentRequest
  readonly quote: Quote
  readonly terms: Payment
  /** The note that pays, from the owner's ticket. */
  readonly note: Note
  /** The note's index in the tree, as the chain shows it. */
  readonly leafIndex: bigint
  /** The chain's clock, in seconds since 1970. */
  readonly clock: UnixSeconds
}

/**
 * The longest time for which a signature may be valid. Until a signature expires, its payment blocks the balance. The
 * service makes a signature valid for ten minutes, rounded up to the time grid. One minute is added, because the
 * service's node may be up to a minute ahead of the owner's node.
 */
export const LIFE_MAX_SECONDS = 2n * TIME_GRID_SECONDS + 60n

/**
 * Compares the terms that the service asks the owner to sign with the request and with the balance's own note.
 * @throws PaymentRefusedError that lists all faults. Nothing was signed.
 */
export function checkPayment(input: PaymentToCheck): CheckedPayment {
  const { request, quote, terms, note, leafIndex, clock } = input
  const reasons: string[] = []
  const demand = (condition: boolean, reason: string) => {
    if (!condition) reasons.push(reason)
  }
  const read = (text: string, name: string): bigint => {
    const number = parseAmount(text)
    demand(number !== undefined, `the ${name} is not an amount`)
    return number ?? -1n
  }
  const payout = read(terms.payout, 'payout')
  const fee = read(terms.fee, 'fee')
  const change = read(terms.change, 'change')
  const validUntil = secondsIn(terms.validUntil)
  demand(terms.payee === request.to, 'the payment is to another wallet')
  demand(payout > 0n, 'the payment pays nothing')
  demand(
    terms.payout === quote.amountOut && `${payout + fee}` === quote.amountIn,
    "the payment's amounts differ from the amounts of the quote",
  )
  const pinned = request.mode === 'exact_in' ? payout + fee : payout
  demand(
    pinned === parseAmount(request.amount),
    "the payment's amount differs from the requested amount",
  )
  demand(
    change >= 0n && payout + fee + change === note.value,
    'the change is not the entire remainder of the balance',
  )
  demand(`${terms.leafIndex}` === `${leafIndex}`, 'the payment spends another note')
  demand(
    validUntil % TIME_GRID_SECONDS === 0n,
    'the signature does not end on a ten-minute boundary, which makes the payment recognisable',
  )
  demand(
    clock < validUntil && validUntil <= clock + LIFE_MAX_SECONDS && validUntil <= note.expiry,
    'the signature ends too early or too late',
  )
  demand(
    renewedDeadline(note.deadline, validUntil) <= clock + MAX_DEPOSIT_SECONDS,
    'the deadline of the change note is too far ahead, so the payment could not be proved now',
  )
  if (reasons.length > 0) throw new PaymentRefusedError(reasons)
  const amounts = { payout: amount(payout), fee: amount(fee), change: amount(change) }
  return { ...amounts, validUntil: unixSeconds(validUntil) }
}

/** Converts a timestamp of the service to seconds since 1970. Returns -1 for any other text. */
export const secondsIn = (time: string): bigint => secondsOfIso(time) ?? -1n
