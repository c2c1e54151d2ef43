/**
 * The slot time in milliseconds. It is a quarter of a cluster's slot time. Finality then takes half a second, and
 * blockhashes expire after 17 seconds.
 */
export const SLOT_MS = 100

/** Settings with which an order ends in seconds. With them, deliveries don't wait for an anonymity set. */
export const BRISK = {
  SOTTO_DELAY_MIN_SECONDS: '0',
  SOTTO_DELAY_MAX_SECONDS: '1',
  SOTTO_DELIVERY_WINDOW_SECONDS: '3600',
  SOTTO_ORDER_SECONDS: '600',
  SOTTO_POLL_MS: '200',
} as const
