import type { Order, Quote } from '@sotto/contract'
import { parseAmount } from '@sotto/protocol'
import { isSwap, type ExpectedTransfer } from './expected-transfer.ts'
import { refuse, type Findings } from './refusal.ts'

/** A quote's amounts, whose sums hold. Base units of the source but for `amountOut`. */
export interface QuotedAmounts {
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Service and network fee: what the terms call `fee`. */
  readonly fee: bigint
  readonly partnerFee: bigint
}

const WHOLE_BPS = 10_000n

/**
 * A swap is verified only against the caller's own least amount: without one, the service alone would set
 * the price. @throws OrderRefusedError if it is missing.
 */
export function assertMinOut({ minOut, ...assets }: Assets): void {
  if (!isSwap(assets) && minOut === undefined) return
  if (minOut !== undefined && minOut > 0n) return
  refuse(
    'min_out',
    'a swap needs minOut, more than 0: the least base units of the destination that must arrive, by a ' +
      'price of your own; minOutOf makes it of a price and a slippage',
  )
}

interface Assets {
  readonly sourceAssetId: string
  readonly destinationAssetId: string
  readonly minOut?: bigint | undefined
}

/** Reads a quote's amounts. @throws OrderRefusedError where one is none or they do not add up. */
export function readQuotedAmounts(quote: Quote): QuotedAmounts {
  const read = (text: string): bigint =>
    parseAmount(text) ?? refuse('quote', 'the quote holds something that is no amount')
  const { feeBreakdown } = quote
  const serviceFee = read(feeBreakdown.serviceFee)
  const partnerFee = read(feeBreakdown.partnerFee)
  const networkFee = read(feeBreakdown.networkFee)
  const amounts = {
    amountIn: read(quote.amountIn),
    amountOut: read(quote.amountOut),
    fee: serviceFee + networkFee,
    partnerFee,
  }
  const isSum =
    read(quote.protocolFee) === serviceFee + partnerFee &&
    read(quote.networkFee) === networkFee &&
    read(quote.fee) === serviceFee + partnerFee + networkFee
  if (!isSum) refuse('quote', "the quote's fees do not add up")
  const isSend = quote.sourceAssetId === quote.destinationAssetId
  if (isSend && amounts.amountIn !== amounts.amountOut + amounts.fee + partnerFee) {
    refuse('quote', "the quote's amounts do not add up")
  }
  return amounts
}

/** Holds quote and order against what was asked for. */
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
    'quote and order do not debit what was agreed',
  )
  findings.demand(
    quoted.amountOut === expected.amountOut && order.amountOut === quote.amountOut,
    'amount_out',
    'quote and order do not pay out what was agreed',
  )
  findings.demand(
    expected.minOut === undefined || quoted.amountOut >= expected.minOut,
    'min_out',
    'the transfer pays out less than minOut',
  )
  // Ceilings of both shares round apart: the partner's is its own rate rounded up, at most.
  const bps = BigInt(expected.partner?.feeBps ?? 0)
  const shareMax = (expected.amountIn * bps + WHOLE_BPS - 1n) / WHOLE_BPS
  findings.demand(
    quoted.partnerFee <= shareMax,
    'partner',
    "the partner's share is more than was agreed",
  )
}
