import type { Point } from '@sotto/protocol'
import type { Address } from '@solana/kit'

/** The partner's share that the sender agreed to pay. */
export interface ExpectedPartner {
  /** The wallet that receives the share. For tokens, this wallet owns the token account that receives the share. */
  readonly wallet: Address
  readonly feeBps: number
}

/** The balance that a deposit opens. Such a deposit pays no recipient. */
export interface ExpectedBalance {
  readonly owner: Point
  /** Seconds from the order's deadline to the balance's end. The end is then rounded up to the time grid. */
  readonly seconds: bigint
}

/**
 * The transfer that the sender wants. Take it from the sender's own screen or records, never from the service's
 * response.
 */
export interface ExpectedTransfer {
  readonly sender: Address
  readonly recipient: Address
  /** Mint addresses. The mint of wrapped SOL means native SOL. */
  readonly sourceAssetId: Address
  readonly destinationAssetId: Address
  /** Base units of the source, all fees included. */
  readonly amountIn: bigint
  /** Base units of the destination asset that the recipient receives. */
  readonly amountOut: bigint
  /**
   * The minimum that the recipient must receive, in base units of the destination asset. Required for a swap. Never
   * take it from the service's quote: `minOutOf` computes it from your own price.
   */
  readonly minOut?: bigint | undefined
  /** If omitted, the SDK refuses an order with any partner's share. */
  readonly partner?: ExpectedPartner | undefined
  /** Set this for a top-up. The recipient of a top-up is the sender. */
  readonly balance?: ExpectedBalance | undefined
}

/** Your own price: `source` base units of the source are worth `destination` base units of the destination. */
export interface Price {
  readonly source: bigint
  readonly destination: bigint
}

const WHOLE_BPS = 10_000n

/**
 * The minimum that a swap of `amountIn` base units must pay out. It is the value of `amountIn` at `price`, less
 * `slippageBps` basis points for the fees, the spread and price changes. For example, 149.55 USDC per SOL is the
 * price `{ source: 1_000_000_000n, destination: 149_550_000n }`.
 *
 * @throws RangeError for a price that is not positive, or a slippage outside 0 to 9,999.
 */
export function minOutOf(amountIn: bigint, price: Price, slippageBps: number): bigint {
  const { source, destination } = price
  if (source <= 0n || destination <= 0n) throw new RangeError('a price has two positive amounts')
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > 9_999) {
    throw new RangeError('slippageBps must be a whole number from 0 to 9999')
  }
  const kept = WHOLE_BPS - BigInt(slippageBps)
  const divisor = source * WHOLE_BPS
  return (amountIn * destination * kept + divisor - 1n) / divisor
}

export const isSwap = (assets: {
  readonly sourceAssetId: string
  readonly destinationAssetId: string
}): boolean => assets.sourceAssetId !== assets.destinationAssetId
