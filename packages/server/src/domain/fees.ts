import { amount, U64_MAX, type Amount } from '@sotto/protocol'
import { greatestFigure } from './series.ts'

/** 100 % in basis points. */
const WHOLE_BPS = 10_000n

/** The fee that the service takes from every settlement in an asset, except from refunds. */
export interface SettleTariff {
  /** Basis points of the gross amount; less than 10,000. */
  readonly serviceBps: number
  /** In base units of the asset. */
  readonly networkFee: Amount
}

/**
 * The fees of a transfer: the partner's share of `amountIn`, and the destination's tariff, which applies to the note's
 * value.
 */
export interface FeeTerms extends SettleTariff {
  /** The partner's share in basis points of `amountIn`; less than 10,000. */
  readonly feeBps: number
}

/**
 * The amounts of a quote. `value` and `amountOut` are in base units of the destination. All other amounts are in base
 * units of the source.
 */
export interface Amounts {
  readonly amountIn: Amount
  /** The value of the note: the payout of the delivery plus its fee. */
  readonly value: Amount
  readonly amountOut: Amount
  readonly serviceFee: Amount
  readonly partnerFee: Amount
  readonly networkFee: Amount
}

/** An exchange rate: destination base units = floor(source base units * numerator / denominator). */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The rate of a send, in which source and destination are the same asset. */
export const SAME_ASSET: Ratio = { numerator: 1n, denominator: 1n }

/** A quotient rounded up. */
export const ceilDivide = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor

/** A share of a sum in basis points, rounded up. */
const shareOf = (sum: bigint, bps: number): bigint => ceilDivide(sum * BigInt(bps), WHOLE_BPS)

/** The smallest sum that leaves at least `rest` after a share of `bps` basis points. It leaves exactly `rest`. */
const leastBefore = (rest: bigint, bps: number): bigint =>
  ceilDivide(rest * WHOLE_BPS, WHOLE_BPS - BigInt(bps))

/** The greatest sum that leaves at most `rest` after a share of `bps` basis points. */
const greatestBefore = (rest: bigint, bps: number): bigint =>
  ((rest + 1n) * WHOLE_BPS - 1n) / (WHOLE_BPS - BigInt(bps))

/**
 * The fee of a settlement: `ceil(gross * serviceBps / 10^4) + networkFee`, in base units of its asset. `gross` is the
 * payout plus the fee. The same public formula applies to every kind of note, because otherwise the fee would reveal
 * the kind.
 */
export function settleFee(gross: bigint, { serviceBps, networkFee }: SettleTariff): bigint {
  return shareOf(gross, serviceBps) + networkFee
}

/** The payout of a settlement of this gross amount. Negative if the fee exceeds the gross amount. */
export const payoutOf = (gross: bigint, tariff: SettleTariff): bigint =>
  gross - settleFee(gross, tariff)

/** The smallest gross amount whose payout is at least `amountOut`. Its payout is exactly `amountOut`. */
export const leastGross = (amountOut: bigint, { serviceBps, networkFee }: SettleTariff): bigint =>
  leastBefore(amountOut + networkFee, serviceBps)

/** The worth of an input after the partner's share, rounded down to a base unit of the destination. */
export function worthOf(amountIn: bigint, partnerFee: bigint, rate: Ratio): bigint {
  return ((amountIn - partnerFee) * rate.numerator) / rate.denominator
}

const worthAfterShare = (amountIn: bigint, { feeBps }: FeeTerms, rate: Ratio): bigint =>
  worthOf(amountIn, shareOf(amountIn, feeBps), rate)

/**
 * Rounding a payout down to a figure of the series (series.ts) reduces the payout by at most the payout divided by this
 * number.
 */
const ROUNDED_PART = 100_000n

/**
 * The value of the note that an input buys. If a base unit of the source is worth more than a base unit of the
 * destination, most payouts can't be reached exactly. The figures of the series should be reachable, because anonymity
 * sets form at these figures. Therefore the payout is rounded down to a figure if two conditions are met: the input is
 * the smallest that pays out at least this figure, and rounding reduces the payout by at most 0.001 %. In a send, every
 * figure is reached without rounding.
 */
export function valueOf(amountIn: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const worth = worthAfterShare(amountIn, terms, rate)
  const payout = payoutOf(worth, terms)
  const figure = greatestFigure(payout)
  if (figure === undefined || (payout - figure) * ROUNDED_PART > payout) return worth
  const before = payoutOf(worthAfterShare(amountIn - 1n, terms, rate), terms)
  return before < figure ? leastGross(figure, terms) : worth
}

/** The payout of an input. Negative if the fees exceed the input's worth. */
export function outputOf(amountIn: bigint, terms: FeeTerms, rate: Ratio): bigint {
  return payoutOf(valueOf(amountIn, terms, rate), terms)
}

/** The smallest input that pays out at least `amountOut`. In a send, it pays out exactly `amountOut`. */
export function leastInput(amountOut: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const rest = ceilDivide(leastGross(amountOut, terms) * rate.denominator, rate.numerator)
  const least = leastBefore(rest, terms.feeBps)
  // `least` may be rounded down to a figure below `amountOut`. Then the next higher input isn't rounded, and suffices.
  return outputOf(least, terms, rate) < amountOut ? least + 1n : least
}

/** The greatest input that buys a note with a value of at most `value`. */
export function greatestInput(value: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const rest = ((value + 1n) * rate.denominator - 1n) / rate.numerator
  const greatest = greatestBefore(rest, terms.feeBps)
  return valueOf(greatest + 1n, terms, rate) <= value ? greatest + 1n : greatest
}

/**
 * Splits an input into fees and output. Undefined if nothing would be paid out or a value exceeds u64. The settlement's
 * fees are converted to the source's units and rounded up. In a send nothing is rounded, so its amounts add up exactly.
 */
export function amountsOf(amountIn: bigint, terms: FeeTerms, rate: Ratio): Amounts | undefined {
  const partnerFee = shareOf(amountIn, terms.feeBps)
  const value = valueOf(amountIn, terms, rate)
  const amountOut = payoutOf(value, terms)
  if (amountIn > U64_MAX || amountOut <= 0n || value > U64_MAX) return undefined
  // No part of the value is worth more than the input, so the converted fees fit in a u64 too.
  const inSource = (fee: bigint) => amount(ceilDivide(fee * rate.denominator, rate.numerator))
  return {
    amountIn: amount(amountIn),
    value: amount(value),
    amountOut: amount(amountOut),
    serviceFee: inSource(shareOf(value, terms.serviceBps)),
    partnerFee: amount(partnerFee),
    networkFee: inSource(terms.networkFee),
  }
}

/** A rate reduced by the service's spread in basis points. */
export function withSpread(rate: Ratio, spreadBps: number): Ratio {
  return {
    numerator: rate.numerator * (WHOLE_BPS - BigInt(spreadBps)),
    denominator: rate.denominator * WHOLE_BPS,
  }
}
