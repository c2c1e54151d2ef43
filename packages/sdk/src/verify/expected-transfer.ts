import type { Address } from '@solana/kit'

/** The partner's share that the sender agreed to. */
export interface ExpectedPartner {
  /** The wallet that the share is paid to, or whose token account it is. */
  readonly wallet: Address
  readonly feeBps: number
}

/** What the sender wants, from its own screen or records: never from the service's answer. */
export interface ExpectedTransfer {
  readonly sender: Address
  readonly recipient: Address
  /** Mints; wrapped SOL's stands for native SOL. */
  readonly sourceAssetId: Address
  readonly destinationAssetId: Address
  /** Base units of the source, everything included. */
  readonly amountIn: bigint
  /** Base units of the destination that the recipient gets. */
  readonly amountOut: bigint
  /** Left out: no share at all is accepted. */
  readonly partner?: ExpectedPartner | undefined
}
