import type { Address, GetRecentPrioritizationFeesApi, Rpc } from '@solana/kit'
import { percentileOf } from '../program/unit-prices.ts'

/**
 * A percentile of the prices that transactions which write these accounts needed to land in each of the last blocks.
 * The unit is micro-lamports per compute unit. Name only accounts that every transaction of a pool writes, such as its
 * tree: the request shows them to the node.
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
