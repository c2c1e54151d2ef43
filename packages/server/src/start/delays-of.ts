import type { Config } from '../config.ts'
import type { DelayPolicy } from '../domain/delivery-schedule.ts'

/** The default delays, and the longest delay that a request may ask for, from the settings. */
export const delaysOf = (config: Config): DelayPolicy => ({
  minDelaySeconds: config.DELAY_MIN_SECONDS,
  meanSeconds: config.DELAY_MEAN_SECONDS,
  maxDelaySeconds: config.DELAY_MAX_SECONDS,
  windowSeconds: config.DELIVERY_WINDOW_SECONDS,
})
