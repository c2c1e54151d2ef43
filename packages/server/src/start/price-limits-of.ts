import type { Config } from '../config.ts'
import type { PriceLimits } from '../settlement/pay/offered-price.ts'

/** The configured limits of the price that transactions offer for priority. */
export const priceLimitsOf = (config: Config): PriceLimits => ({
  floor: config.UNIT_PRICE_MIN,
  ceiling: config.UNIT_PRICE_MAX,
  percentile: config.UNIT_PRICE_PERCENTILE,
})
