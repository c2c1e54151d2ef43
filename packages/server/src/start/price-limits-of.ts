import { amount } from '@sotto/protocol'
import type { Config } from '../config.ts'
import type { PriceLimits } from '../settlement/pay/offered-price.ts'

/**
 * The configured limits of the price that transactions offer for priority, and of what an order's attempts may cost.
 */
export const priceLimitsOf = (config: Config): PriceLimits => ({
  floor: config.UNIT_PRICE_MIN,
  ceiling: config.UNIT_PRICE_MAX,
  percentile: config.UNIT_PRICE_PERCENTILE,
  orderMax: amount(BigInt(config.ORDER_PRIORITY_MAX)),
})
