import { amount, least, type Address, type Amount } from '@sotto/protocol'
import { ceilDivide, type Ratio } from './fees.ts'

/**
 * The amount of an asset that the inventory should have: a share of the whole inventory's worth, or a number of base
 * units.
 */
export type Target =
  | { readonly kind: 'share'; readonly bps: bigint }
  | { readonly kind: 'amount'; readonly amount: Amount }

/** An asset of the inventory. Amounts are in its base units. */
export interface HeldAsset {
  readonly mint: Address
  readonly inventory: Amount
  /** The part that is reserved for unpaid swaps. It is never sold. */
  readonly reserved: Amount
  readonly target: Target
  /** The worth of one base unit of the asset, in base units of the plan's unit of account. */
  readonly worth: Ratio
}

/** A trade that sells one asset's surplus and buys an asset that is below its target. */
export interface Trade {
  readonly sell: Address
  readonly buy: Address
  /** Base units of `sell`. */
  readonly amountIn: Amount
  /** The worth of `amountIn`, in base units of the plan's unit of account. */
  readonly worth: Amount
}

export interface PlannedAsset extends HeldAsset {
  /** The base units that the target requires. */
  readonly wanted: Amount
}

export interface TradePlan {
  readonly assets: readonly PlannedAsset[]
  readonly trades: readonly Trade[]
  /**
   * The worth that is still missing after these trades, in base units of the plan's unit of account. If it isn't 0,
   * either the limit of the trades is reached or nothing is left to sell.
   */
  readonly lacking: Amount
}

export interface TradeLimits {
  /** Maximum worth of all trades together, in base units of the plan's unit of account. */
  readonly worthMax: Amount
  /** A deviation of at most this part of the target, in hundredths of a percent, isn't corrected. */
  readonly toleranceBps: bigint
}

const WHOLE_BPS = 10_000n

const worthOf = ({ worth }: HeldAsset, units: Amount): Amount =>
  amount((units * worth.numerator) / worth.denominator)
const unitsOf = ({ worth }: HeldAsset, value: Amount): Amount =>
  amount((value * worth.denominator) / worth.numerator)
const excess = (left: bigint, right: bigint): Amount => amount(left > right ? left - right : 0n)

/**
 * Plans the sales that bring an inventory closer to its targets. Each sale sells some of the asset with the largest
 * surplus and buys the asset with the largest shortfall. No sale uses a reserved amount, or brings an asset below its
 * target. All divisions round down, so that a plan never sells too much.
 */
export function planTrades(held: readonly HeldAsset[], limits: TradeLimits): TradePlan {
  const total = amount(held.reduce((sum, one) => sum + worthOf(one, one.inventory), 0n))
  const assets = held.map((one) => ({ ...one, wanted: wantedOf(one, total) }))
  const left = assets.map((one) => ({ one, ...deviationOf(one, limits.toleranceBps) }))
  const trades: Trade[] = []
  let room = limits.worthMax
  for (;;) {
    const from = left.reduce((best, next) => (next.surplus > best.surplus ? next : best))
    const to = left.reduce((best, next) => (next.lack > best.lack ? next : best))
    const worth = least(least(from.surplus, to.lack), room)
    const amountIn = unitsOf(from.one, worth)
    if (amountIn === 0n) break
    trades.push({ sell: from.one.mint, buy: to.one.mint, amountIn, worth })
    from.surplus = amount(from.surplus - worth)
    to.lack = amount(to.lack - worth)
    room = amount(room - worth)
  }
  const lacking = amount(left.reduce((sum, { lack }) => sum + lack, 0n))
  return { assets, trades, lacking }
}

function wantedOf(one: HeldAsset, total: Amount): Amount {
  const { target } = one
  if (target.kind === 'amount') return target.amount
  return unitsOf(one, amount((total * target.bps) / WHOLE_BPS))
}

/** The worth of the surplus that can be sold, and the worth of the shortfall. Both are 0 within the tolerance. */
function deviationOf(one: PlannedAsset, toleranceBps: bigint): { surplus: Amount; lack: Amount } {
  const { inventory, reserved, wanted } = one
  const apart = inventory > wanted ? inventory - wanted : wanted - inventory
  if (apart * WHOLE_BPS <= wanted * toleranceBps) return { surplus: amount(0n), lack: amount(0n) }
  const spare = least(excess(inventory, wanted), excess(inventory, reserved))
  return { surplus: worthOf(one, spare), lack: worthOf(one, excess(wanted, inventory)) }
}

/** `units` minus a slippage in hundredths of a percent. Rounds up, so that rounding never favours the market. */
export const lessSlippage = (units: Amount, bps: number): Amount =>
  amount(ceilDivide(units * (WHOLE_BPS - BigInt(bps)), WHOLE_BPS))

/**
 * The worth of `units` of the sold asset, in base units of the bought asset. The rate converts the bought asset to the
 * sold asset. Rounds up.
 */
export const fairOutput = (units: Amount, { numerator, denominator }: Ratio): Amount =>
  amount(ceilDivide(units * denominator, numerator))
