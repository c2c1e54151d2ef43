import { amount } from '@sotto/protocol'
import type { Config } from '../config.ts'
import type { PriceLimits } from '../settlement/pay/offered-price.ts'

/**
 * The configured limits of priority fees. They bound the compute unit price, and the total priority fee of all attempts
 * of an order. `percentile` is the percentile of recent prices that the compute unit price follows.
 */
export const priceLimitsOf = (config: Config): PriceLimits => ({
  floor: config.UNIT_PRICE_MIN,
  ceiling: config.UNIT_PRICE_MAX,
  percentile: config.UNIT_PRICE_PERCENTILE,
  orderMax: amount(BigInt(config.ORDER_PRIORITY_MAX)),
})
