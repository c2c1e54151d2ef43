import {
  amount,
  ASSET_BYTES,
  NULLIFIER_BYTES,
  NULLIFIER_SECONDS,
  POOL_BYTES,
  PROGRAM_BYTES,
  sumOf,
  TREE_BYTES,
  type Amount,
  type PriceStep,
} from '@sotto/protocol'
import { rentMinimum } from './rent.ts'
import {
  BALANCE_MIN,
  SETTLEMENT_LAMPORTS,
  settlementPriority,
  settlementsNeeded,
} from './settlement-cost.ts'

/** An operator's expectations. Shares are in whole percent. */
export interface CapitalPlan {
  /** Transfers and payments out of balances. Each is one settlement. */
  readonly transfersPerDay: bigint
  /** The cluster's rent. */
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
  /** Days between two collections of fees. Collected fees fund the relayers. */
  readonly collectDays: bigint
  /** The share of transfers that are swaps. */
  readonly swapsPercent: bigint
  /** The payout of an average swap, in lamports. */
  readonly swapWorth: Amount
  /** The greatest priority price that settlements offer. */
  readonly priceCeiling: PriceStep
}

/** Capital in lamports. */
export interface Capital {
  /** Rent of program, pool, tree and assets, and the fees of the deployment: spent once. */
  readonly setUp: Amount
  /** Rent of the buffer of an upgrade, which returns when the upgrade ends. */
  readonly upgrade: Amount
  /** Rent of Nullifiers, lent by the relayers and returned after NULLIFIER_SECONDS. */
  readonly lent: Amount
  /**
   * Lamports that the relayers must hold in addition to those that they lend and spend. With less, the service would
   * refuse new orders in the busiest hour.
   */
  readonly reserve: Amount
  /** Fees and new token accounts that the relayers pay for until the fees are collected. */
  readonly spent: Amount
  /** Inventory for swaps, if all of them go in one direction until it is refilled. */
  readonly inventory: Amount
  readonly total: Amount
}

const DAY_SECONDS = 86_400n
const HOURS = 24n
const PERCENT = 100n
/** Bytes before the code in the loader's ProgramData account and in a buffer, and bytes of its Program account. */
const [DATA_HEAD_BYTES, BUFFER_HEAD_BYTES, PROGRAM_ACCOUNT_BYTES] = [45n, 37n, 36n]
/** Minimum number of bytes of code that a transaction of a deployment writes, and its number of signatures. */
const [WRITTEN_BYTES, SIGNATURES] = [900n, 2n]
/**
 * Number of other transactions of deployment and set-up: for buffer, deployment, pool and authorities. Each asset takes
 * one more.
 */
const OTHER_TRANSACTIONS = 10n
const SIGNATURE_LAMPORTS = 5_000n
/** The size of a token account: the greater of the two token programs' sizes. A vault of lamports is smaller. */
const TOKEN_ACCOUNT_BYTES = 170n
/**
 * Cost of the signatures of a settlement and of the transactions that close its Order and its Nullifier, if each of
 * these closes only one account.
 */
const SETTLING_LAMPORTS = 15_000n

const ceilDivide = (dividend: bigint, divisor: bigint): bigint =>
  (dividend + divisor - 1n) / divisor

function setUpOf({ lamportsPerByte, assets }: CapitalPlan): Amount {
  const rent = (bytes: bigint) => rentMinimum(lamportsPerByte, bytes)
  const perAsset = rent(BigInt(ASSET_BYTES)) + rent(TOKEN_ACCOUNT_BYTES)
  const transactions =
    ceilDivide(BigInt(PROGRAM_BYTES), WRITTEN_BYTES) + OTHER_TRANSACTIONS + assets
  return sumOf([
    rent(DATA_HEAD_BYTES + BigInt(PROGRAM_BYTES)),
    rent(PROGRAM_ACCOUNT_BYTES),
    rent(BigInt(POOL_BYTES)),
    rent(BigInt(TREE_BYTES)),
    amount(assets * perAsset),
    amount(transactions * SIGNATURES * SIGNATURE_LAMPORTS),
  ])
}

/** Number of Nullifiers that exist at the same time, if each exists for its whole life. */
export const nullifiersLent = (transfersPerDay: bigint): bigint =>
  ceilDivide(transfersPerDay * NULLIFIER_SECONDS, DAY_SECONDS)

/**
 * The orders of the busiest hour. A paid order is open until its delivery, for at most half an hour unless its sender
 * asks for a longer delay. So this many orders are seldom open at once.
 */
export const openOrders = ({ transfersPerDay, peak }: CapitalPlan): bigint =>
  ceilDivide(transfersPerDay * peak, HOURS)

/**
 * Lamports that each relayer must hold, if all hold the same, so that together they can pay for the open orders and one
 * more.
 */
export function reserveOf(plan: CapitalPlan): Amount {
  const priority = settlementPriority(plan.priceCeiling)
  const each = ceilDivide(settlementsNeeded(openOrders(plan) + 1n), plan.relayers)
  return amount(BALANCE_MIN + priority + (each - 1n) * (SETTLEMENT_LAMPORTS + priority))
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

/** The capital that a plan needs. @throws RangeError if a sum exceeds u64. */
export function capitalOf(plan: CapitalPlan): Capital {
  const { transfersPerDay, collectDays, swapsPercent, swapWorth, lamportsPerByte, relayers } = plan
  const swaps = ceilDivide(transfersPerDay * collectDays * swapsPercent, PERCENT)
  const parts = {
    setUp: setUpOf(plan),
    upgrade: rentMinimum(lamportsPerByte, BUFFER_HEAD_BYTES + BigInt(PROGRAM_BYTES)),
    lent: amount(
      nullifiersLent(transfersPerDay) * rentMinimum(lamportsPerByte, BigInt(NULLIFIER_BYTES)),
    ),
    reserve: amount(relayers * reserveOf(plan)),
    spent: spentOf(plan),
    inventory: amount(swaps * swapWorth),
  }
  return { ...parts, total: sumOf(Object.values(parts)) }
}
