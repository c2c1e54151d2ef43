import { systemClock } from '../../adapters/clock/system-clock.ts'
import { secretSource } from '../../adapters/remote/secret-source.ts'
import { listedDecimalsOf } from '../../adapters/store/listed-decimals.ts'
import { openJupiterSwaps } from '../../adapters/swaps/jupiter-swaps.ts'
import type { Config } from '../../config.ts'
import type { Prices } from '../../ports/prices.ts'
import type { SwapMarket } from '../../ports/swap-market.ts'
import { openPrices } from '../../start/open-prices.ts'
import type { OperatorContext } from '../context.ts'

/** The prices that a plan uses. */
export interface PlanPrices {
  readonly prices: Prices
  /** Number of sources that must agree on a price. */
  readonly sources: number
}

/** Dependencies of `inventory plan` and `inventory rebalance`, besides the chain and the database. */
export interface InventoryParts {
  /** The configured targets as text. */
  readonly targets: () => string | undefined
  readonly openPrices: (context: Pick<OperatorContext, 'rpc' | 'database'>) => Promise<PlanPrices>
  readonly openMarket: () => SwapMarket
}

/** Creates the dependencies from the settings. */
export function inventoryPartsOf(readConfig: () => Config): InventoryParts {
  return {
    targets: () => readConfig().INVENTORY_TARGETS,
    openPrices: async ({ rpc, database }) => {
      const config = readConfig()
      const log = { event: () => undefined, failed: () => undefined }
      const listedDecimals = listedDecimalsOf(database)
      const prices = await openPrices({ config, rpc, listedDecimals, clock: systemClock, log })
      return { prices, sources: config.PRICES.filter((one) => one !== 'none').length }
    },
    openMarket: () => {
      const { JUPITER_URL: url, JUPITER_API_KEY: key, secretPaths } = readConfig()
      const apiKey =
        key === undefined ? undefined : secretSource(key, secretPaths['JUPITER_API_KEY'])
      return openJupiterSwaps({ url, apiKey })
    },
  }
}
