import {
  priorityLamports,
  SETTLE_COMPUTE_UNITS,
  unitPriceOf,
  type Amount,
  type PriceBounds,
  type PriceStep,
} from '@sotto/protocol'

/**
 * Maximum number of lamports that one settlement takes from its relayer: a signature, the rent of a Nullifier account
 * of 40 bytes, and the rent of a Token-2022 account of 170 bytes. A rent is `(128 + bytes) * 6,960` lamports, so both
 * rents together are 3,243,360 lamports. The constant is rounded up in case a cluster's rent is higher. The priority
 * fee isn't included.
 */
export const SETTLEMENT_LAMPORTS = 4_000_000n

/** The highest priority fee that a settlement may cost, in lamports. */
export const priorityLamportsMax = ({ ceiling }: PriceBounds): Amount => settlementPriority(ceiling)

/** The priority fee of a settlement at this price step, in lamports. */
export const settlementPriority = (step: PriceStep): Amount =>
  priorityLamports(unitPriceOf(step), BigInt(SETTLE_COMPUTE_UNITS))

/**
 * Minimum number of lamports that a relayer must have to be picked: the cost of two settlements plus its own rent
 * minimum.
 */
export const BALANCE_MIN = 2n * SETTLEMENT_LAMPORTS + 2_000_000n

/**
 * The number of settlements that these relayers can still pay for. Each relayer is counted separately, because two
 * relayers can't share the cost of a settlement. `priority` is the highest priority fee of a settlement, in lamports.
 */
export function affordable(balances: readonly Amount[], priority: Amount): bigint {
  const cost = SETTLEMENT_LAMPORTS + priority
  const least = BALANCE_MIN + priority
  return balances
    .filter((balance) => balance >= least)
    .reduce((sum, balance) => sum + (balance - least) / cost + 1n, 0n)
}

/**
 * New orders are accepted only while the relayers can pay for two settlements (`TIMES`) of each open order, and for
 * this many settlements more.
 */
const HEADROOM = 4n
const TIMES = 2n

/**
 * The number of open orders for which this number of settlements is enough. 0 or less if it isn't enough for any order.
 */
export const ordersFor = (settlements: bigint): bigint => (settlements - HEADROOM) / TIMES

/** The smallest number of settlements that is enough for this number of open orders. */
export const settlementsNeeded = (orders: bigint): bigint => orders * TIMES + HEADROOM
