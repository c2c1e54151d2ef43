import {
  amount,
  boundStep,
  readRecentPrice,
  SETTLE_COMPUTE_UNITS,
  STEP_MAX,
  stepAtLeast,
  stepAtMost,
  UNIT_PRICES,
  unitPriceOf,
  type Address,
  type Amount,
} from '@sotto/protocol'
import type { RecoveryRpc } from './read-accounts.ts'

/** The limits of a settlement's priority fee, in lamports. */
export interface PriorityLimits {
  /** The minimum fee. The default is 256. Increase it if a settlement didn't land. */
  readonly priorityFeeMinLamports?: Amount | undefined
  /** The maximum fee. The default is 262,144. If it is below the minimum, the maximum applies. */
  readonly priorityFeeMaxLamports?: Amount | undefined
}

/** The percentile of recent prices that services use by default. */
const PERCENTILE = 75
const UNITS = BigInt(SETTLE_COMPUTE_UNITS)
const [LEAST, MOST] = [amount(256n), amount(262_144n)]

/**
 * The price that a settlement offers, in micro-lamports per compute unit. It follows the recent prices for the tree.
 * It is one of the prices that services offer, so that no one can distinguish the settlement from a service's
 * settlement. If the node returns no recent prices, the lowest price is offered.
 */
export async function settlementPrice(
  rpc: RecoveryRpc,
  tree: Address,
  { priorityFeeMinLamports: min = LEAST, priorityFeeMaxLamports: max = MOST }: PriorityLimits,
): Promise<bigint> {
  const recent = await readRecentPrice(rpc, [tree], PERCENTILE).catch(() => 0n)
  const ceiling = stepAtMost(max, UNITS)
  const floor = Math.min(ceiling, stepCosting(min))
  return unitPriceOf(boundStep(stepAtLeast(recent), { floor, ceiling }))
}

/**
 * The lowest price step at which a settlement costs at least this many lamports. The highest step if none costs that
 * much.
 */
function stepCosting(lamports: Amount): number {
  const step = UNIT_PRICES.findIndex((price) => price * UNITS >= lamports * MICRO)
  return step < 0 ? STEP_MAX : step
}

const MICRO = 1_000_000n
