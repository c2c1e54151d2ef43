import { amount, U64_MAX, type Amount } from '@sotto/protocol'

/** Ten thousand basis points are the whole. */
const WHOLE_BPS = 10_000n

/** The fees of a transfer, in basis points of `amountIn` and base units of the source. */
export interface FeeTerms {
  readonly serviceBps: number
  /** The partner's share; on top of the service's. Together at most 5,000. */
  readonly feeBps: number
  readonly networkFee: Amount
}

/** The amounts of a quote. Source base units, but `amountOut` is in the destination's. */
export interface Amounts {
  readonly amountIn: Amount
  readonly amountOut: Amount
  readonly serviceFee: Amount
  readonly partnerFee: Amount
  readonly networkFee: Amount
}

/** Destination base units = floor(source base units * numerator / denominator). */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The rate of a send. */
export const SAME_ASSET: Ratio = { numerator: 1n, denominator: 1n }

const ceilDivide = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor

const proportional = ({ serviceBps, feeBps }: FeeTerms): bigint => BigInt(serviceBps + feeBps)

/** All fees on an input: `ceil(amountIn * b / 10^4) + networkFee`. */
function totalFee(amountIn: bigint, terms: FeeTerms): bigint {
  return ceilDivide(amountIn * proportional(terms), WHOLE_BPS) + terms.networkFee
}

/** The service's own share of an input, rounded up. */
const serviceFeeOf = (amountIn: bigint, serviceBps: number): bigint =>
  ceilDivide(amountIn * BigInt(serviceBps), WHOLE_BPS)

/** The payout of the rest after all fees; negative if they exceed the input. */
const payout = (rest: bigint, rate: Ratio): bigint =>
  rest < 0n ? rest : (rest * rate.numerator) / rate.denominator

/** The payout of an input; negative if the fees exceed it. */
export function outputOf(amountIn: bigint, terms: FeeTerms, rate: Ratio): bigint {
  return payout(amountIn - totalFee(amountIn, terms), rate)
}

/** Like `outputOf`, but for a partner's share that was already rounded when it was agreed. */
export function outputOfAgreed(
  amountIn: bigint,
  partnerFee: bigint,
  { serviceBps, networkFee }: Omit<FeeTerms, 'feeBps'>,
  rate: Ratio,
): bigint {
  return payout(amountIn - serviceFeeOf(amountIn, serviceBps) - partnerFee - networkFee, rate)
}

/**
 * The least input that pays out at least `amountOut`; for a send it pays exactly that:
 * `ceil((rest + n) * 10^4 / (10^4 - b))` with `rest = ceil(amountOut * den / num)`.
 */
export function leastInput(amountOut: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const rest = ceilDivide(amountOut * rate.denominator, rate.numerator)
  return ceilDivide((rest + terms.networkFee) * WHOLE_BPS, WHOLE_BPS - proportional(terms))
}

/** The greatest input that pays out at most `amountOut`. */
export function greatestInput(amountOut: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const rest = ((amountOut + 1n) * rate.denominator - 1n) / rate.numerator
  return ((rest + terms.networkFee + 1n) * WHOLE_BPS - 1n) / (WHOLE_BPS - proportional(terms))
}

/**
 * Splits an input into fees and output; undefined if nothing would be paid out or a value exceeds u64. The
 * service's share is rounded up separately; the partner's is the rest of the rounded total.
 */
export function amountsOf(amountIn: bigint, terms: FeeTerms, rate: Ratio): Amounts | undefined {
  const amountOut = outputOf(amountIn, terms, rate)
  if (amountIn > U64_MAX || amountOut <= 0n || amountOut > U64_MAX) return undefined
  const serviceFee = serviceFeeOf(amountIn, terms.serviceBps)
  const partnerFee = totalFee(amountIn, terms) - terms.networkFee - serviceFee
  return {
    amountIn: amount(amountIn),
    amountOut: amount(amountOut),
    serviceFee: amount(serviceFee),
    partnerFee: amount(partnerFee),
    networkFee: terms.networkFee,
  }
}

/** A rate after the service's spread in basis points. */
export function withSpread(rate: Ratio, spreadBps: number): Ratio {
  return {
    numerator: rate.numerator * (WHOLE_BPS - BigInt(spreadBps)),
    denominator: rate.denominator * WHOLE_BPS,
  }
}

/**
 * A destination's tariff in source base units, rounded up to two significant digits: a figure that followed the
 * price exactly would make every output unique. Undefined if it exceeds u64: at such a rate no amount could pay for
 * a delivery.
 */
export function convertTariff(tariff: bigint, rate: Ratio): Amount | undefined {
  const exact = ceilDivide(tariff * rate.denominator, rate.numerator)
  const step = 10n ** BigInt(Math.max(0, exact.toString().length - 2))
  const rounded = ceilDivide(exact, step) * step
  return rounded > U64_MAX ? undefined : amount(rounded)
}
