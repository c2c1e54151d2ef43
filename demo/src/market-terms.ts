import { NATIVE_MINT } from '@sotto/protocol'
import type { Quote, TransferRequest } from './service-api.ts'

/**
 * The fees and rates that the set-up configures. Fixed fees are in base units. The service's fee is in basis points of
 * a settlement's gross amount.
 */
export const TERMS = {
  serviceBps: 20n,
  /** The network fee of a delivery of SOL. It is the same whether or not the recipient's account exists. */
  solNetworkFee: 100_000n,
  tokenNetworkFee: { exists: 20_000n, created: 350_000n },
  /**
   * The price of a base unit of SOL in base units of USDC. It means 150 USDC for one SOL, because USDC has six decimals
   * and SOL has nine.
   */
  price: { numerator: 15n, denominator: 100n },
  /** The service's default spread on a swap's rate. */
  spreadBps: 30n,
}

const WHOLE_BPS = 10_000n
const ceilDivide = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

/**
 * The fee of a settlement of this gross amount, which is the payout plus the fee. Fee and amount are in base units of
 * the delivered asset.
 */
const settleFee = (gross: bigint, networkFee: bigint): bigint =>
  ceilDivide(gross * TERMS.serviceBps, WHOLE_BPS) + networkFee

/** The smallest gross amount that leaves this payout after fees. */
const grossFor = (payout: bigint, networkFee: bigint): bigint =>
  ceilDivide((payout + networkFee) * WHOLE_BPS, WHOLE_BPS - TERMS.serviceBps)

/** The amount that a payment of lamports takes from a balance, including fees. */
export const grossOfPayment = (payout: bigint): bigint => grossFor(payout, TERMS.solNetworkFee)

/** The smallest input that leaves this gross amount after the partner's share. */
const inputFor = (gross: bigint, feeBps: bigint): bigint =>
  ceilDivide(gross * WHOLE_BPS, WHOLE_BPS - feeBps)

/**
 * Compares a quote with the published formulas. The formulas here don't come from the service's code. So a mistake in
 * the service's formulas fails this check. Every recipient of tokens in a run is new, so the fee contains the rent of
 * the recipient's account.
 *
 * @throws Error if the debit or the delivery differs by even one base unit.
 */
export function assertQuote(request: TransferRequest, quote: Quote): void {
  const isSwap = request.sourceAssetId !== request.destinationAssetId
  const networkFee =
    request.destinationAssetId === NATIVE_MINT ? TERMS.solNetworkFee : TERMS.tokenNetworkFee.created
  const feeBps = BigInt(request.feeBps ?? 0)
  const wanted = BigInt(request.amount)
  const isExactOut = request.mode === 'exact_out'
  const least = grossFor(wanted, networkFee)
  const amountIn = isExactOut ? inputFor(least, feeBps) : wanted
  const partnerFee = ceilDivide(amountIn * feeBps, WHOLE_BPS)
  const rest = amountIn - partnerFee
  const { numerator, denominator } = TERMS.price
  const swapped = (rest * numerator * (WHOLE_BPS - TERMS.spreadBps)) / (denominator * WHOLE_BPS)
  const value = isSwap ? swapped : rest
  const amountOut = value - settleFee(value, networkFee)
  const stated = [quote.amountIn, quote.feeBreakdown.partnerFee, quote.amountOut].map(BigInt)
  const computed = [amountIn, partnerFee, amountOut]
  if (stated.some((one, index) => one !== computed[index])) {
    throw new Error(
      `input, partner's share and output are ${stated.join(', ')} in the quote; the formulas give ${computed.join(', ')}`,
    )
  }
  if (isExactOut && amountOut !== wanted)
    throw new Error('the quote for exact_out does not deliver the requested amount')
}
