import type { Order, Quote } from '@sotto/contract'
import { parseAmount, type Amount } from '@sotto/protocol'
import { isSwap, type ExpectedTransfer } from './expected-transfer.ts'
import { refuse, type Findings } from './refusal.ts'

/**
 * A quote's amounts. The quote's sums have been checked. `amountOut` is in base units of the destination, the other
 * amounts are in base units of the source.
 */
export interface QuotedAmounts {
  readonly amountIn: Amount
  readonly amountOut: Amount
  readonly partnerFee: Amount
}

const WHOLE_BPS = 10_000n

/**
 * Checks that a swap has the caller's own minimum amount. Without a minimum, the service alone would set the price.
 * @throws OrderRefusedError if a swap has no minimum, or if the minimum is 0.
 */
export function assertMinOut({ minOut, ...assets }: Assets): void {
  if (!isSwap(assets) && minOut === undefined) return
  if (minOut !== undefined && minOut > 0n) return
  refuse(
    'min_out',
    'a swap needs minOut, more than 0: the minimum that must arrive, in base units of the destination. ' +
      'Compute it from your own price and a slippage with minOutOf',
  )
}

interface Assets {
  readonly sourceAssetId: string
  readonly destinationAssetId: string
  readonly minOut?: bigint | undefined
}

/**
 * Reads a quote's amounts.
 * @throws OrderRefusedError if a member isn't an amount, or if the amounts don't add up.
 */
export function readQuotedAmounts(quote: Quote): QuotedAmounts {
  const read = (text: string): Amount =>
    parseAmount(text) ?? refuse('quote', 'the quote holds an invalid amount')
  const { feeBreakdown } = quote
  const serviceFee = read(feeBreakdown.serviceFee)
  const partnerFee = read(feeBreakdown.partnerFee)
  const networkFee = read(feeBreakdown.networkFee)
  const amountIn = read(quote.amountIn)
  const amountOut = read(quote.amountOut)
  const fee = serviceFee + partnerFee + networkFee
  const isSum =
    read(quote.protocolFee) === serviceFee + partnerFee &&
    read(quote.networkFee) === networkFee &&
    read(quote.fee) === fee
  if (!isSum) refuse('quote', "the quote's fees do not add up")
  const isSend = quote.sourceAssetId === quote.destinationAssetId
  if (isSend && amountIn !== amountOut + fee) {
    refuse('quote', "the quote's amounts do not add up")
  }
  return { amountIn, amountOut, partnerFee }
}

/** A partner's share of an amount, rounded up to a base unit of the source. */
export const partnerShare = (sum: bigint, feeBps: number): bigint =>
  (sum * BigInt(feeBps) + WHOLE_BPS - 1n) / WHOLE_BPS

/** Compares the quote and the order with the expected transfer. */
export function checkQuote(
  findings: Findings,
  { quote, order, expected }: { quote: Quote; order: Order; expected: ExpectedTransfer },
  quoted: QuotedAmounts,
): void {
  const isAsset =
    quote.sourceAssetId === expected.sourceAssetId &&
    quote.destinationAssetId === expected.destinationAssetId
  findings.demand(isAsset, 'asset', 'the quote is for other assets')
  findings.demand(
    quoted.amountIn === expected.amountIn && order.amountIn === quote.amountIn,
    'amount_in',
    'quote and order do not debit the agreed amount',
  )
  findings.demand(
    quoted.amountOut === expected.amountOut && order.amountOut === quote.amountOut,
    'amount_out',
    'quote and order do not pay out the agreed amount',
  )
  findings.demand(
    expected.minOut === undefined || quoted.amountOut >= expected.minOut,
    'min_out',
    'the transfer pays out less than minOut',
  )
  const share = partnerShare(expected.amountIn, expected.partner?.feeBps ?? 0)
  findings.demand(
    quoted.partnerFee <= share,
    'partner',
    "the partner's share is more than was agreed",
  )
  findings.demand(
    quoted.partnerFee >= share,
    'partner',
    "the partner's share is less than was agreed",
  )
}
