import type { Address } from '@sotto/protocol'
import { agreeingPrices } from '../adapters/prices/agreeing-prices.ts'
import { noPrices, openFilePrices } from '../adapters/prices/file-prices.ts'
import { freshPrices } from '../adapters/prices/fresh-prices.ts'
import { openJupiterPrices } from '../adapters/prices/jupiter-prices.ts'
import { mintDecimals } from '../adapters/prices/mint-decimals.ts'
import { openPythPrices } from '../adapters/prices/pyth-prices.ts'
import { sharedPrices } from '../adapters/prices/shared-prices.ts'
import type { Meters } from '../adapters/metrics/meters.ts'
import { secretSource } from '../adapters/remote/secret-source.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Prices } from '../ports/prices.ts'
import type { ServiceLog } from '../ports/service-log.ts'

export interface PriceParts {
  readonly config: Config
  readonly rpc: ChainRpc
  /** The number of decimals in the database's list of assets; undefined if the asset isn't listed. */
  readonly listedDecimals: (mint: Address) => Promise<number | undefined>
  readonly clock: Clock
  readonly log: Pick<ServiceLog, 'event' | 'failed'>
  readonly meters?: Meters
}

/** Opens the configured prices. @throws PricesFileError if the file of fixed prices is wrong. */
export async function openPrices(parts: PriceParts): Promise<Prices> {
  const { config, clock, log, meters } = parts
  const isRemote = config.PRICES.some((one) => one === 'pyth' || one === 'jupiter')
  const sources = await Promise.all(
    config.PRICES.map(async (one) => {
      const ageMaxMs = ageMaxMsOf(config, one)
      const fresh = freshPrices(await openSource(parts, one), ageMaxMs, clock)
      const source = meters === undefined || one === 'none' ? fresh : meters.prices(one, fresh)
      // A file is local and quick to read. Without remote sources, rates aren't cached, so that a change takes effect
      // immediately.
      return { prices: isRemote ? sharedPrices(source, clock) : source, ageMaxMs }
    }),
  )
  const disagreed = () => log.event('prices_disagree')
  return agreeingPrices(sources, config.PRICE_DEVIATION_BPS, clock, disagreed)
}

/** The maximum age of a rate, in milliseconds. Undefined if a rate is valid until its file changes. */
function ageMaxMsOf(config: Config, kind: Config['PRICES'][number]): number | undefined {
  const isFixed = kind === 'fixed'
  const seconds = isFixed ? config.PRICES_FILE_AGE_SECONDS : config.PRICE_AGE_SECONDS
  return seconds === undefined ? undefined : seconds * 1_000
}

async function openSource(
  { config, rpc, listedDecimals, clock }: PriceParts,
  kind: Config['PRICES'][number],
): Promise<Prices> {
  const key = (name: 'PYTH_API_KEY' | 'JUPITER_API_KEY') => {
    const value = config[name]
    return value === undefined ? undefined : secretSource(value, config.secretPaths[name])
  }
  const decimalsOf = mintDecimals(rpc, listedDecimals)
  switch (kind) {
    case 'none':
      return noPrices
    case 'fixed':
      return openFilePrices(config.PRICES_FILE ?? '')
    case 'pyth':
      return openPythPrices({
        ...{ url: config.PYTH_URL, apiKey: key('PYTH_API_KEY'), decimalsOf },
        feeds: config.PYTH_FEEDS ?? new Map(),
        confidenceBps: config.PYTH_CONFIDENCE_BPS,
      })
    case 'jupiter':
      return openJupiterPrices({
        ...{ url: config.JUPITER_URL, apiKey: key('JUPITER_API_KEY'), decimalsOf, clock },
        readSlot: () => rpc.getSlot({ commitment: 'confirmed' }).send(),
        impactBps: config.JUPITER_IMPACT_BPS,
      })
  }
}
