import type { Command } from 'commander'
import type { TradePlan } from '../../domain/inventory-trades.ts'
import { openParty, withUnsigned, type UnsignedOption } from '../asset/party.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import {
  parseAddressOption,
  parseAmountOption,
  parseBpsOption,
  parseCountOption,
} from '../pool/pool-options.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { InventoryParts } from './inventory-parts.ts'
import { assertTwoSources, planInventory, type PlanOptions } from './plan-inventory.ts'
import { runTrade, type TradeResult } from './run-trade.ts'

interface RebalanceOptions extends PlanOptions, UnsignedOption {
  readonly admin: string
  readonly slippageBps: number
  readonly maxAccounts: number
  readonly dryRun?: boolean
}

const TOLERANCE_BPS = 100
const SLIPPAGE_BPS = 100
/**
 * Maximum number of accounts in a route. The transaction also needs room for the guards and for the instructions that
 * move the inventory.
 */
const ACCOUNTS_MAX = 40

/** With a nonce, the holder of a signed trade could send it later, when the price has moved in the market's favour. */
const NO_NONCE = "a trade's price soon becomes outdated: omit --nonce, and sign within a minute"

/** `inventory plan | rebalance`: brings the inventory to its targets by trading on a market. */
export function registerRebalanceCommands(
  inventory: Command,
  withContext: WithContext,
  parts: InventoryParts,
): void {
  const plan = inventory
    .command('plan')
    .description('Show which trades would bring the inventory to its targets. No market is asked.')
  withPlanOptions(plan).action((options: PlanOptions) =>
    withContext((context) => showPlan(context, parts, options)),
  )
  const rebalance = inventory
    .command('rebalance')
    .description(
      "Sell the inventory's surplus for the assets that it lacks, through Jupiter. Each trade is one transaction, " +
        'which fails as a whole if the inventory does not get the agreed amount. Amounts that unpaid swaps reserve are never ' +
        'sold. With --unsigned, the command prints the first trade; run it again once that trade has landed.',
    )
    .requiredOption('--admin <keypair>', "the pool's admin, who pays the fees: a keypair file")
    .option(
      '--slippage-bps <bps>',
      "how far a trade's proceeds may be below our own prices and below the market's quote",
      parseBpsOption,
      SLIPPAGE_BPS,
    )
    .option(
      '--max-accounts <count>',
      'the maximum number of accounts in a route; with fewer accounts, the transaction is smaller',
      parseCountOption,
      ACCOUNTS_MAX,
    )
    .option(
      '--dry-run',
      'gets a quote for each trade and simulates the trade, but signs and sends nothing',
    )
  withUnsigned(withPlanOptions(rebalance))
  // The option is refused with a reason, so the help doesn't list it.
  rebalance.options.find(({ long }) => long === '--nonce')?.hideHelp()
  rebalance.action((options: RebalanceOptions) =>
    withContext((context) => rebalanceInventory(context, parts, options)),
  )
}

function withPlanOptions(command: Command): Command {
  return command
    .requiredOption(
      '--unit <mint>',
      'the asset in which values are counted, such as a stablecoin',
      parseAddressOption,
    )
    .requiredOption(
      '--max-worth <amount>',
      'the most that all trades together may be worth, in base units of --unit',
      parseAmountOption,
    )
    .option(
      '--targets <targets>',
      'mint=40%,mint=60%, or an amount in base units for each mint (default: SOTTO_INVENTORY_TARGETS)',
    )
    .option(
      '--tolerance-bps <bps>',
      'a deviation of at most this part of the target is left as it is',
      parseBpsOption,
      TOLERANCE_BPS,
    )
}

const shownPlan = ({ assets, trades, lacking }: TradePlan) => ({
  assets: assets.map(({ mint, inventory, reserved, wanted }) => ({
    ...{ mint, inventory: `${inventory}`, reserved: `${reserved}`, target: `${wanted}` },
  })),
  trades: trades.map(({ sell, buy, amountIn, worth }) => ({
    ...{ sell, buy, amountIn: `${amountIn}`, worth: `${worth}` },
  })),
  lacking: `${lacking}`,
})

async function showPlan(
  context: OperatorContext,
  parts: InventoryParts,
  options: PlanOptions,
): Promise<void> {
  const { prices, sources } = await parts.openPrices(context)
  assertTwoSources(sources)
  context.out(shownPlan(await planInventory(context, parts, prices, options)))
}

async function rebalanceInventory(
  context: OperatorContext,
  parts: InventoryParts,
  options: RebalanceOptions,
): Promise<void> {
  if (options.nonce !== undefined) throw new OperatorError(NO_NONCE)
  const { prices, sources } = await parts.openPrices(context)
  assertTwoSources(sources)
  const plan = await planInventory(context, parts, prices, options)
  const isDryRun = options.dryRun === true
  const admin = await openParty(options.admin, {
    unsigned: options.unsigned === true || isDryRun,
  })
  const market = parts.openMarket()
  const { slippageBps, maxAccounts: accountsMax } = options
  const trading = { context, prices, market, admin, slippageBps, accountsMax, isDryRun }
  const done: TradeResult[] = []
  const show = () => context.out({ ...shownPlan(plan), trades: done })
  for (const trade of plan.trades) {
    const result = await runTrade(trading, trade).catch((failure: unknown) => {
      // The failure says that nothing was sent. This message is true only of the last trade, so the earlier trades are
      // shown first.
      if (done.length > 0) show()
      throw failure
    })
    if ('message' in result) return context.out(result)
    done.push(result)
  }
  show()
}
