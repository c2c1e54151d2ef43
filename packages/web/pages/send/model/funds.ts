import { NATIVE_MINT } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import type { Balances } from '@sotto/sdk/wallet'

type MustHold = QuoteResponse['senderMustHold']

/** Lamports that a wallet needs besides the payment: fees, the order's rent, and its own minimum. */
export function costBeside(asset: string, { native, source }: MustHold): bigint {
  return asset === NATIVE_MINT ? BigInt(native) - BigInt(source) : BigInt(native)
}

/**
 * The most of an asset that a wallet can pay, within the service's limit, so that it still holds the other amounts that
 * the quote requires. Zero if it can pay nothing.
 */
export function mostPayable(
  asset: string,
  { native, source }: Pick<Balances, 'native' | 'source'>,
  cost: bigint,
  limit: bigint,
): bigint {
  if (native < cost) return 0n
  const most = asset === NATIVE_MINT ? native - cost : source
  return most < limit ? most : limit
}
