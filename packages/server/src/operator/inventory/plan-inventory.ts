import type { Address, Amount } from '@sotto/protocol'
import { readInventories } from '../../adapters/chain/transfer/read-inventories.ts'
import { sqlInventoryStore } from '../../adapters/store/inventory-store.ts'
import { parseTargets } from '../../config/inventory-targets.ts'
import type { Ratio } from '../../domain/fees.ts'
import { planTrades, type HeldAsset, type TradePlan } from '../../domain/inventory-trades.ts'
import type { Prices } from '../../ports/prices.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { OperatorContext } from '../context.ts'
import type { InventoryParts } from './inventory-parts.ts'

/** The options that `inventory plan` and `inventory rebalance` share. */
export interface PlanOptions {
  readonly unit: Address
  readonly targets?: string
  readonly maxWorth: Amount
  readonly toleranceBps: number
}

/** An asset's inventory, and the part of it that unpaid swaps reserve. */
interface Stock {
  readonly inventory: Amount
  readonly reserved: Amount
}

/** Reads the current inventories of these assets. @throws OperatorError for an asset that isn't in the pool. */
export async function readStocks(
  { rpc, program, database }: OperatorContext,
  mints: readonly Address[],
): Promise<Stock[]> {
  // Reservations are read before the inventories. A swap that is deposited between the two reads then counts twice, so
  // the plan keeps too much rather than too little.
  const records = await sqlInventoryStore(database).readInventories(0n)
  const inventories = await readInventories(rpc, program, mints)
  return mints.map((mint, index) => {
    const inventory = inventories[index]
    const reserved = records.find((one) => one.mint === mint)?.reserved
    if (inventory !== undefined && reserved !== undefined) return { inventory, reserved }
    throw new OperatorError(
      `${mint} can't be planned: add it with \`sotto-server asset add\`, and let a worker follow the chain at least once`,
    )
  })
}

/** Plans the trades that bring the inventory to its targets. @throws OperatorError that names the next step. */
export async function planInventory(
  context: OperatorContext,
  parts: InventoryParts,
  prices: Prices,
  options: PlanOptions,
): Promise<TradePlan> {
  const targets = targetsOf(parts, options)
  const mints = [...targets.keys()]
  const stocks = await readStocks(context, mints)
  const held: HeldAsset[] = []
  for (const [index, [mint, target]] of [...targets].entries()) {
    const worth = await worthIn(prices, mint, options.unit)
    const stock = stocks[index]
    if (stock !== undefined) held.push({ mint, target, worth, ...stock })
  }
  return planTrades(held, {
    worthMax: options.maxWorth,
    toleranceBps: BigInt(options.toleranceBps),
  })
}

function targetsOf(parts: InventoryParts, { targets }: PlanOptions) {
  const given = targets ?? parts.targets()
  if (given === undefined) {
    throw new OperatorError('there are no targets: give --targets or set SOTTO_INVENTORY_TARGETS')
  }
  const parsed = parseTargets(given)
  if (parsed !== undefined) return parsed
  throw new OperatorError(
    '--targets must name each mint once: all with percentages that add up to 100, as in mint=40%,mint=60%, or all in base units',
  )
}

const EVEN: Ratio = { numerator: 1n, denominator: 1n }

async function worthIn(prices: Prices, mint: Address, unit: Address): Promise<Ratio> {
  return mint === unit ? EVEN : await agreedRate(prices, mint, unit)
}

/**
 * The rate on which all sources agree, for a swap in which the pool receives `from` and pays out `to`.
 * @throws OperatorError if the sources don't agree, or if a source has no recent price.
 */
export async function agreedRate(prices: Prices, from: Address, to: Address): Promise<Ratio> {
  const rate = await prices.readRate(from, to)
  if (rate !== undefined) return rate
  throw new OperatorError(
    `the sources agree on no price of ${from} in ${to}: one has no recent price, or two differ by more than SOTTO_PRICE_DEVIATION_BPS; ` +
      'docs/runbooks/prices-disagree.md says what to do',
  )
}

/**
 * Refuses prices from a single source, because that source could make the command sell at any price.
 * @throws OperatorError.
 */
export function assertTwoSources(sources: number): void {
  if (sources >= 2) return
  throw new OperatorError(
    'a plan needs two price sources that agree: set SOTTO_PRICES to two of pyth, jupiter and fixed',
  )
}
