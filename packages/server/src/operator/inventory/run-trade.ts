import {
  addInventoryInstruction,
  amount,
  LAMPORTS_PER_SIGNATURE,
  priorityLamports,
  unitPriceOf,
  type Address,
  type Amount,
} from '@sotto/protocol'
import type { Instruction } from '@solana/kit'
import type { LookupTables } from '../../adapters/chain/settlement/compile-transaction.ts'
import { fromEach } from '../../adapters/chain/settlement/witnesses.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { readLookupTables } from '../../adapters/chain/settlement/read-lookup-tables.ts'
import { fairOutput, lessSlippage, type Trade } from '../../domain/inventory-trades.ts'
import type { Prices } from '../../ports/prices.ts'
import type { SwapMarket } from '../../ports/swap-market.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { Party } from '../asset/party.ts'
import type { OperatorContext } from '../context.ts'
import { openOperatorChain } from '../pool/pool-transaction.ts'
import { makeUnsigned, type UnsignedTransaction } from '../unsigned-transaction.ts'
import { checkRoute } from './check-route.ts'
import { agreedRate, readStocks } from './plan-inventory.ts'
import { rehearseTrade } from './rehearse-trade.ts'
import { readTradeAccounts } from './trade-accounts.ts'
import { COMPUTE_UNITS, moveOf, tradeInstructions, type AgreedTrade } from './trade-instructions.ts'
import { readSurplus } from './trade-outcome.ts'

export interface TradeParts {
  readonly context: OperatorContext
  readonly prices: Prices
  readonly market: SwapMarket
  readonly admin: Party
  readonly slippageBps: number
  readonly accountsMax: number
  readonly isDryRun: boolean
}

/** The result of a trade or of its simulation. Amounts are strings of digits. */
export interface TradeResult {
  readonly sell: string
  readonly buy: string
  readonly amountIn: string
  readonly quoted: string
  readonly amountOutMin: string
  readonly signature: string | null
  /** The amount that was added to the inventory; null if nothing was sent. */
  readonly added: string | null
}

/** The text that replaces an address in a lookup table. It isn't a valid address, so no instruction can name it. */
const NO_ADDRESS = '' as Address

const PRICE_IS_OLD =
  "the trade's price is too old to sign the trade again: run the command again, which agrees on a new price and offers a higher fee"

/**
 * Agrees on a trade with the market, simulates it, and signs and sends it. If the admin's key isn't on this machine,
 * returns the transaction for others to sign.
 * @throws OperatorError, RemoteError. After an error, nothing was sold, unless the message says otherwise.
 */
export async function runTrade(
  parts: TradeParts,
  trade: Trade,
): Promise<TradeResult | UnsignedTransaction> {
  const { context, admin } = parts
  const { rpc, run } = openOperatorChain(context)
  await reservedOf(context, trade)
  const { agreed, quoted, readLeast, ...route } = await agree(parts, trade)
  const instructions = await tradeInstructions(agreed)
  const tables = tablesFor(agreed, instructions, route.tables)
  // Reservations and prices are read again, because they may have changed while the market or a node prepared its
  // answer. A node that limits requests can delay an answer by minutes.
  const rehearse = async (wire: Uint8Array) => {
    await rehearseTrade(rpc, agreed, await reservedOf(context, trade), wire)
    const least = await readLeast()
    if (agreed.amountOutMin < least) throw priceMoved(agreed.amountOutMin, least)
  }
  const result = {
    ...{ sell: trade.sell, buy: trade.buy, amountIn: `${trade.amountIn}` },
    ...{ quoted: `${quoted}`, amountOutMin: `${agreed.amountOutMin}` },
  }
  if (parts.isDryRun) {
    await rehearse((await makeUnsigned(rpc, admin.address, instructions, undefined, tables)).wire)
    return { ...result, signature: null, added: null }
  }
  const outcome = await run([admin], instructions, { tables, rehearse, onceOnly: PRICE_IS_OLD })
  if (outcome.unsigned !== undefined) return outcome.unsigned
  const { signature } = outcome
  const added = agreed.amountOutMin + (await addSurplus(parts, agreed, signature))
  return { ...result, signature, added: `${added}` }
}

/**
 * Returns the tables without the accounts of our own instructions. The transaction then names these accounts in full.
 * So if a node returns a wrong table, the guards still watch the right accounts.
 */
function tablesFor(
  { swap }: AgreedTrade,
  instructions: readonly Instruction[],
  tables: LookupTables,
): LookupTables {
  const own = new Set(
    instructions
      .filter((one) => one !== swap)
      .flatMap(({ accounts = [] }) => accounts.map(({ address }) => address)),
  )
  // The other addresses keep their indexes, because a transaction refers to an address by its index.
  return mapTables(tables, (one) => (own.has(one) ? NO_ADDRESS : one))
}

/** Reads the reserved part of the sold asset. @throws OperatorError if the sale would take some of it. */
async function reservedOf(context: OperatorContext, { sell, amountIn }: Trade): Promise<Amount> {
  const [stock] = await readStocks(context, [sell])
  const { inventory, reserved } = stock ?? { inventory: 0n, reserved: amount(0n) }
  if (inventory - amountIn >= reserved) return reserved
  throw new OperatorError(
    'new swaps have reserved the amount for this sale: nothing was sent; run the command again for a new plan',
  )
}

/**
 * Gets the market's offer and checks it. The offer must be at least as good as our own prices minus the slippage.
 * @throws OperatorError if the offer is worse.
 */
async function agree(parts: TradeParts, trade: Trade) {
  const { context, prices, market, admin, slippageBps, accountsMax } = parts
  const { rpc, witnesses = [], program } = context
  const nodes = [rpc, ...witnesses] as const
  const { sell, buy, amountIn } = trade
  // The rate is for a swap in which the pool receives the bought asset and pays out the sold asset. `agreedRate` uses
  // the source at which the pool would pay least. This source has the highest price for the sold asset.
  const readLeast = async () =>
    lessSlippage(fairOutput(amountIn, await agreedRate(prices, buy, sell)), slippageBps)
  const least = await readLeast()
  const quote = await market.quote({ sell, buy, amountIn, slippageBps, accountsMax })
  if (quote.amountOut < least || least === 0n) {
    throw new OperatorError(
      `the market offers ${quote.amountOut} but our prices ask for at least ${least}: nothing was sent. Wait, trade less in one call ` +
        '(--max-worth), or accept a worse price (--slippage-bps)',
    )
  }
  const promised = lessSlippage(quote.amountOut, slippageBps)
  const route = await market.findRoute(quote, admin.address)
  // A market may delay its answer until prices have changed or the admin has received a payment. Therefore prices and
  // the admin's accounts are read after the market's last answer.
  const accounts = await readTradeAccounts(rpc, admin.address, sell, buy)
  await checkRoute(nodes, program, route, accounts)
  const amountOutMin = [least, await readLeast()].reduce(greater, promised)
  const agreed: AgreedTrade = {
    ...{ program, accounts, amountIn, swap: route.swap },
    amountOutMin,
    feeMax: feeMaxOf(context),
  }
  const tables = await readTables(nodes, route.tables)
  return { agreed, tables, quoted: quote.amountOut, readLeast }
}

const priceMoved = (amountOutMin: Amount, least: Amount): OperatorError =>
  new OperatorError(
    `the price has moved: the trade brings in at least ${amountOutMin}, and our prices now ask for ${least}: nothing was signed. Run ` +
      'the command again',
  )

/**
 * Reads the lookup tables and drops the entries on which nodes differ, so that a single node can't insert an unchecked
 * account.
 */
async function readTables(
  [rpc, ...witnesses]: readonly [ChainRpc, ...ChainRpc[]],
  asked: readonly Address[],
): Promise<LookupTables> {
  const tables = await readLookupTables(rpc, asked)
  const others = await fromEach(witnesses, (one) => readLookupTables(one, asked))
  return mapTables(tables, (one, table, at) =>
    others.every((other) => other[table]?.[at] === one) ? one : NO_ADDRESS,
  )
}

/** Replaces each address of the tables with the result of `change`. */
const mapTables = (
  tables: LookupTables,
  change: (one: Address, table: Address, at: number) => Address,
): LookupTables =>
  Object.fromEntries(
    Object.entries(tables).map(([table, addresses]) => [
      table,
      addresses.map((one, at) => change(one, table as Address, at)),
    ]),
  )

const greater = (left: Amount, right: Amount): Amount => (left > right ? left : right)

/** The fee at the highest price that may be offered. The offered price may rise before the trade is signed. */
function feeMaxOf({ prices }: OperatorContext): Amount {
  const priority = priorityLamports(unitPriceOf(prices.ceiling), BigInt(COMPUTE_UNITS))
  return amount(LAMPORTS_PER_SIGNATURE + priority)
}

/**
 * Adds the amount that arrived beyond the minimum to the inventory.
 * @throws OperatorError that says how to add it manually.
 */
async function addSurplus(
  { context, admin }: TradeParts,
  agreed: AgreedTrade,
  signature: string,
): Promise<Amount> {
  const { rpc, run } = openOperatorChain(context)
  const { buy } = agreed.accounts
  let surplus: Amount | undefined
  try {
    surplus = await readSurplus(rpc, signature, agreed)
    if (surplus === 0n) return surplus
    const source = buy.isNative ? admin.address : buy.account
    await run([admin], [await addInventoryInstruction({ ...moveOf(agreed, buy), source }, surplus)])
    return surplus
  } catch (cause) {
    const rest = surplus === undefined ? 'what arrived beyond the minimum' : `--amount ${surplus}`
    throw new OperatorError(
      `the trade ${signature} has landed, but its surplus may not have been added: check the admin's account, and if the surplus is still there, add it with \`sotto-server inventory add\` (${rest})`,
      { cause },
    )
  }
}
