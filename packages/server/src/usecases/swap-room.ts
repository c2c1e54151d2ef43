import type { Account } from '../ports/account-store.ts'
import type { SwapRoom } from '../ports/order-store.ts'
import type { MarketAsset } from './market.ts'
import { ServiceError } from './service-error.ts'

/** What a swap must still fit into; undefined for a send, which its own deposit covers. */
export function swapRoom(
  source: MarketAsset,
  destination: MarketAsset,
  { openSwapsMax }: Account,
  nowSeconds: bigint,
): SwapRoom | undefined {
  if (source === destination) return undefined
  return { available: destination.facts.swapAvailable, openSwapsMax, nowSeconds }
}

const RETRY_AFTER_SECONDS = 30

/** The error of a swap that doesn't fit: others' authorisations end within a minute or two. */
export function noRoom(outcome: 'no_inventory' | 'too_many_open'): ServiceError {
  const code = outcome === 'no_inventory' ? 'LIQUIDITY_UNAVAILABLE' : 'RATE_LIMITED'
  return new ServiceError(code, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
