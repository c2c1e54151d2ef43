import { NATIVE_MINT } from '@sotto/protocol'
import type { Quote, TransferRequest } from './service-api.ts'

/** The set-up's fees and rates, in base units and in basis points of the input. */
export const TERMS = {
  serviceBps: 20n,
  /** SOL costs a delivery the same whether the recipient's account exists or not. */
  solNetworkFee: 100_000n,
  tokenNetworkFee: { exists: 20_000n, created: 350_000n },
  /** One SOL costs 150 USDC: base units of six decimals for base units of nine. */
  price: { numerator: 15n, denominator: 100n },
  /** The service's default spread on a swap's rate. */
  spreadBps: 30n,
}

const WHOLE_BPS = 10_000n
const ceilDivide = (dividend: bigint, divisor: bigint) => (dividend + divisor - 1n) / divisor

/** A swap's network fee, in lamports with two significant digits, as docs and tokens list it. */
function swapNetworkFee(): bigint {
  const { numerator, denominator } = TERMS.price
  const exact = ceilDivide(TERMS.tokenNetworkFee.created * denominator, numerator)
  const step = 10n ** BigInt(exact.toString().length - 2)
  return ceilDivide(exact, step) * step
}

/**
 * Compares a quote with the published formulas, computed here independently, so that the final balances don't
 * rely on the service's own numbers. Every token recipient of a run is new.
 *
 * @throws Error if debit or delivery is wrong by even one base unit.
 */
export function assertQuote(request: TransferRequest, quote: Quote): void {
  const isSwap = request.sourceAssetId !== request.destinationAssetId
  const isNative = request.sourceAssetId === NATIVE_MINT
  const tokenFee = isSwap ? swapNetworkFee() : TERMS.tokenNetworkFee.created
  const networkFee = isNative && !isSwap ? TERMS.solNetworkFee : tokenFee
  const bps = TERMS.serviceBps + BigInt(request.feeBps ?? 0)
  const wanted = BigInt(request.amount)
  const isExactOut = request.mode === 'exact_out'
  const amountIn = isExactOut
    ? ceilDivide((wanted + networkFee) * WHOLE_BPS, WHOLE_BPS - bps)
    : wanted
  const rest = amountIn - ceilDivide(amountIn * bps, WHOLE_BPS) - networkFee
  const { numerator, denominator } = TERMS.price
  const swapped = (rest * numerator * (WHOLE_BPS - TERMS.spreadBps)) / (denominator * WHOLE_BPS)
  const amountOut = isSwap ? swapped : rest
  if (BigInt(quote.amountIn) !== amountIn || BigInt(quote.amountOut) !== amountOut) {
    throw new Error(
      `the quote says ${quote.amountIn} in, ${quote.amountOut} out; the formulas ${amountIn} and ${amountOut}`,
    )
  }
  if (isExactOut && amountOut !== wanted) throw new Error('exact_out was not exact')
}
