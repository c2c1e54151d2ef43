import {
  amount,
  boundStep,
  readRecentPrice,
  SETTLE_COMPUTE_UNITS,
  STEP_MAX,
  stepAtLeast,
  stepAtMost,
  UNIT_PRICES,
  type Address,
  type Amount,
  type PriceStep,
} from '@sotto/protocol'
import type { RecoveryRpc } from './read-accounts.ts'

export interface PriorityLimits {
  /** The minimum fee. The default is 256. */
  readonly priorityFeeMinLamports?: Amount | undefined
  /**
   * The maximum fee. The default is 262,144, which is the maximum fee that services offer. If the maximum is below the
   * minimum, the maximum applies.
   */
  readonly priorityFeeMaxLamports?: Amount | undefined
}

/** The percentile of recent prices that services use by default. */
const PERCENTILE = 75
const UNITS = BigInt(SETTLE_COMPUTE_UNITS)
const [LEAST, MOST] = [amount(256n), amount(262_144n)]

/** The highest price step that the limits allow. */
export const ceilingOf = ({ priorityFeeMaxLamports: max = MOST }: PriorityLimits): PriceStep =>
  stepAtMost(max, UNITS)

/**
 * The price step that a settlement offers. It follows the recent prices for the tree. Services offer the same steps, so
 * an observer can't distinguish this settlement from a service's settlement by its fee. If the node returns no recent
 * prices, the lowest allowed step is offered.
 *
 * @param least the lowest step to offer, because settlements with a lower step didn't land.
 */
export async function settlementStep(
  rpc: RecoveryRpc,
  tree: Address,
  limits: PriorityLimits,
  least: PriceStep = 0,
): Promise<PriceStep> {
  const recent = await readRecentPrice(rpc, [tree], PERCENTILE).catch(() => 0n)
  const ceiling = ceilingOf(limits)
  const lowest = Math.max(least, stepCosting(limits.priorityFeeMinLamports ?? LEAST))
  const floor = Math.min(ceiling, lowest)
  return boundStep(stepAtLeast(recent), { floor, ceiling })
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
