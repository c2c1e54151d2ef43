import {
  amount,
  ASSET_BYTES,
  LAMPORTS_PER_SIGNATURE,
  NULLIFIER_BYTES,
  NULLIFIER_SECONDS,
  POOL_BYTES,
  PROGRAM_BYTES,
  rentMinimum,
  sumOf,
  TREE_BYTES,
  type Amount,
  type PriceStep,
} from '@sotto/protocol'
import {
  relayerMinimum,
  settlementCost,
  settlementPriority,
  settlementsNeeded,
  SETTLING_LAMPORTS,
  TOKEN_ACCOUNT_BYTES,
} from './settlement-cost.ts'

/** An operator's expectations. Shares are in whole percent. */
export interface CapitalPlan {
  /** Number of transfers and payments out of balances per day. Each of them is one settlement. */
  readonly transfersPerDay: bigint
  /** The cluster's rent per byte of an account. */
  readonly lamportsPerByte: bigint
  readonly relayers: bigint
  readonly assets: bigint
  /** The number of transfers in the busiest hour, divided by the number in an average hour. */
  readonly peak: bigint
  /**
   * The share of transfers to recipients without a token account. The relayer pays the account's rent, and the sender
   * pays a fee for it.
   */
  readonly newAccountsPercent: bigint
  /** Days between two collections of fees. The collected fees repay the relayers' expenses. */
  readonly collectDays: bigint
  /** The share of transfers that are swaps. */
  readonly swapsPercent: bigint
  /** The payout of an average swap, in lamports. */
  readonly swapWorth: Amount
  /** The highest priority price that settlements offer, as an index of `UNIT_PRICES`. */
  readonly priceCeiling: PriceStep
}

/** Capital in lamports. */
export interface Capital {
  /** Rent of the program, the pool, the tree and the assets, and the fees of the deployment. This sum is paid once. */
  readonly setUp: Amount
  /** Rent of an upgrade's buffer, which is returned when the upgrade ends, and the upgrade's fees. */
  readonly upgrade: Amount
  /** Rent of Nullifier accounts. The relayers pay it, and it is returned after `NULLIFIER_SECONDS`. */
  readonly lent: Amount
  /**
   * Lamports that the relayers must have in addition to `lent` and `spent`. If they had less, the service would refuse
   * new orders in the busiest hour.
   */
  readonly reserve: Amount
  /** Transaction fees, and the rent of new token accounts, that the relayers pay between two collections of fees. */
  readonly spent: Amount
  /** Inventory for swaps, if all swaps go in one direction until the inventory is refilled. */
  readonly inventory: Amount
  readonly total: Amount
}

const DAY_SECONDS = 86_400n
const HOURS = 24n
const PERCENT = 100n
/**
 * Sizes in bytes of accounts of the loader: the head of a ProgramData account, the head of a buffer, and a whole
 * Program account. The head is the part before the code.
 */
const [DATA_HEAD_BYTES, BUFFER_HEAD_BYTES, PROGRAM_ACCOUNT_BYTES] = [45n, 37n, 36n]
/**
 * Minimum number of bytes of code that one transaction of a deployment writes, and number of signatures of the
 * transaction.
 */
const [WRITTEN_BYTES, SIGNATURES] = [900n, 2n]
/**
 * Number of a deployment's transactions that write no code: the transactions for the buffer, the program, the pool and
 * the authorities. Each asset takes one more transaction.
 */
const OTHER_TRANSACTIONS = 10n

const ceilDivide = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor

/** The fees of all transactions of a deployment, except the transactions for the assets. */
const deploymentFees = (): Amount => {
  const transactions = ceilDivide(BigInt(PROGRAM_BYTES), WRITTEN_BYTES) + OTHER_TRANSACTIONS
  return amount(transactions * SIGNATURES * LAMPORTS_PER_SIGNATURE)
}

/** The cost of the set-up, in lamports. Most of it is rent, which stays in the accounts. */
export interface SetUp {
  /** Rent of the program, and the fees of its deployment. */
  readonly program: Amount
  readonly tree: Amount
  /** Rent of the pool and of the assets, and the fees for the assets. */
  readonly poolAndAssets: Amount
}

export function setUpOf({
  lamportsPerByte,
  assets,
}: Pick<CapitalPlan, 'lamportsPerByte' | 'assets'>): SetUp {
  const rent = (bytes: bigint) => rentMinimum(lamportsPerByte, bytes)
  const perAsset =
    rent(BigInt(ASSET_BYTES)) + rent(TOKEN_ACCOUNT_BYTES) + SIGNATURES * LAMPORTS_PER_SIGNATURE
  const data = rent(DATA_HEAD_BYTES + BigInt(PROGRAM_BYTES))
  return {
    program: sumOf([data, rent(PROGRAM_ACCOUNT_BYTES), deploymentFees()]),
    tree: rent(BigInt(TREE_BYTES)),
    poolAndAssets: sumOf([rent(BigInt(POOL_BYTES)), amount(assets * perAsset)]),
  }
}

/**
 * Lamports that an upgrade needs for its buffer, and for the fees of its transactions. The buffer's rent is returned
 * later.
 */
export const upgradeOf = ({ lamportsPerByte }: Pick<CapitalPlan, 'lamportsPerByte'>): Amount =>
  sumOf([rentMinimum(lamportsPerByte, BUFFER_HEAD_BYTES + BigInt(PROGRAM_BYTES)), deploymentFees()])

/** The number of Nullifier accounts that exist at the same time, if each exists for `NULLIFIER_SECONDS`. */
export const nullifiersLent = (transfersPerDay: bigint): bigint =>
  ceilDivide(transfersPerDay * NULLIFIER_SECONDS, DAY_SECONDS)

/**
 * The number of orders in the busiest hour. A paid order is open until its delivery, by default for at most half an
 * hour. So the number of orders that are open at the same time is rarely as high as this number.
 */
export const openOrders = ({ transfersPerDay, peak }: CapitalPlan): bigint =>
  ceilDivide(transfersPerDay * peak, HOURS)

/**
 * Lamports that each relayer must have, if all relayers have the same balance. Together they can then pay for all
 * orders of the busiest hour and one more order.
 */
export function reserveOf(plan: CapitalPlan): Amount {
  const { lamportsPerByte, relayers, priceCeiling } = plan
  const prices = { lamportsPerByte, priority: settlementPriority(priceCeiling) }
  const each = ceilDivide(settlementsNeeded(openOrders(plan) + 1n), relayers)
  return amount(relayerMinimum(prices) + (each - 1n) * settlementCost(prices))
}

function spentOf(plan: CapitalPlan): Amount {
  const { transfersPerDay, collectDays, newAccountsPercent, lamportsPerByte } = plan
  const transfers = transfersPerDay * collectDays
  const accounts = ceilDivide(transfers * newAccountsPercent, PERCENT)
  return amount(
    transfers * (SETTLING_LAMPORTS + settlementPriority(plan.priceCeiling)) +
      accounts * rentMinimum(lamportsPerByte, TOKEN_ACCOUNT_BYTES),
  )
}

/** The capital that a plan requires. @throws RangeError if a sum exceeds u64. */
export function capitalOf(plan: CapitalPlan): Capital {
  const { transfersPerDay, collectDays, swapsPercent, swapWorth, lamportsPerByte, relayers } = plan
  const swaps = ceilDivide(transfersPerDay * collectDays * swapsPercent, PERCENT)
  const parts = {
    setUp: sumOf(Object.values(setUpOf(plan))),
    upgrade: upgradeOf(plan),
    lent: amount(
      nullifiersLent(transfersPerDay) * rentMinimum(lamportsPerByte, BigInt(NULLIFIER_BYTES)),
    ),
    reserve: amount(relayers * reserveOf(plan)),
    spent: spentOf(plan),
    inventory: amount(swaps * swapWorth),
  }
  return { ...parts, total: sumOf(Object.values(parts)) }
}
