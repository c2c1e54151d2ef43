import type { Address, GetRecentPrioritizationFeesApi, Rpc } from '@solana/kit'
import { percentileOf } from '../program/unit-prices.ts'

/**
 * For each of the last blocks, a node states the least price among the landed transactions that write these accounts.
 * The result is a percentile of these prices, in micro-lamports per compute unit. Name only accounts that every
 * transaction of a pool writes, such as its tree: the request shows them to the node.
 */
export async function readRecentPrice(
  rpc: Rpc<GetRecentPrioritizationFeesApi>,
  accounts: readonly Address[],
  percent: number,
): Promise<bigint> {
  const blocks = await rpc.getRecentPrioritizationFees([...accounts]).send()
  return percentileOf(
    blocks.map(({ prioritizationFee }) => BigInt(prioritizationFee)),
    percent,
  )
}
