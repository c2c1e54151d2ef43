import type { Address, GetRecentPrioritizationFeesApi, Rpc } from '@solana/kit'
import { percentileOf } from '../program/unit-prices.ts'

/**
 * A percentile of recent prices, in micro-lamports per compute unit. For each recent block, the node returns the lowest
 * price of a transaction that writes these accounts. Pass only accounts that every transaction of a pool writes, such
 * as its tree, because the request reveals the accounts to the node.
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
