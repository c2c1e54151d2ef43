import {
  amount,
  LAMPORTS_PER_SIGNATURE,
  NULLIFIER_BYTES,
  priorityLamports,
  rentMinimum,
  SETTLE_COMPUTE_UNITS,
  sumOf,
  unitPriceOf,
  walletMinimum,
  type Amount,
  type PriceBounds,
  type PriceStep,
} from '@sotto/protocol'

/**
 * Lamports for three signatures: of the settlement, of the transaction that closes its Order account, and of the
 * transaction that closes its Nullifier account. A transaction may close several accounts; here each closes only one.
 */
export const SETTLING_LAMPORTS = 3n * LAMPORTS_PER_SIGNATURE
/** The size of a token account: the greater of the two token programs' sizes. A vault of lamports is smaller. */
export const TOKEN_ACCOUNT_BYTES = 170n

/** The cluster's rent and the priority fee, on which a settlement's cost depends. */
export interface SettlementPrices {
  /** The cluster's rent. The chain states it, and it may change. */
  readonly lamportsPerByte: bigint
  /** The highest priority fee of a settlement, in lamports. */
  readonly priority: Amount
}

/**
 * Maximum number of lamports that one settlement takes from its relayer: signatures, the priority fee, and the rents of
 * a Nullifier account and of a Token-2022 account.
 */
export const settlementCost = ({ lamportsPerByte, priority }: SettlementPrices): Amount =>
  sumOf([
    amount(SETTLING_LAMPORTS),
    priority,
    rentMinimum(lamportsPerByte, BigInt(NULLIFIER_BYTES)),
    rentMinimum(lamportsPerByte, TOKEN_ACCOUNT_BYTES),
  ])

/** The maximum priority fee of a settlement, in lamports. */
export const priorityLamportsMax = ({ ceiling }: PriceBounds): Amount => settlementPriority(ceiling)

/** The priority fee of a settlement at this price step, in lamports. */
export const settlementPriority = (step: PriceStep): Amount =>
  priorityLamports(unitPriceOf(step), BigInt(SETTLE_COMPUTE_UNITS))

/**
 * Minimum number of lamports that a relayer must have to be picked: the cost of two settlements plus its own rent
 * minimum.
 */
export const relayerMinimum = (prices: SettlementPrices): Amount =>
  sumOf([settlementCost(prices), settlementCost(prices), walletMinimum(prices.lamportsPerByte)])

/**
 * The number of settlements that these relayers can still pay for. Each relayer is counted separately, because two
 * relayers can't share the cost of a settlement.
 */
export function affordable(balances: readonly Amount[], prices: SettlementPrices): bigint {
  const cost = settlementCost(prices)
  const least = relayerMinimum(prices)
  return balances
    .filter((balance) => balance >= least)
    .reduce((sum, balance) => sum + (balance - least) / cost + 1n, 0n)
}

/**
 * New orders are accepted only while the relayers can pay for `TIMES` settlements of each open order, and for
 * `HEADROOM` more settlements.
 */
const HEADROOM = 4n
const TIMES = 2n

/**
 * The number of open orders for which this number of settlements is enough. 0 or less if it isn't enough for any order.
 */
export const ordersFor = (settlements: bigint): bigint => (settlements - HEADROOM) / TIMES

/** The smallest number of settlements that is enough for this number of open orders. */
export const settlementsNeeded = (orders: bigint): bigint => orders * TIMES + HEADROOM
