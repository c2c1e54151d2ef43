import { NATIVE_MINT } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import type { Balances } from '@sotto/sdk/wallet'

type MustHold = QuoteResponse['senderMustHold']

/**
 * The lamports that a wallet needs in addition to the payment: fees, the rent of the Order account, and the wallet's
 * own minimum balance.
 */
export function costBeside(asset: string, { native, source }: MustHold): bigint {
  return asset === NATIVE_MINT ? BigInt(native) - BigInt(source) : BigInt(native)
}

/**
 * The maximum of an asset that a wallet can pay, within the service's limit. After this payment the wallet still has
 * the other amounts that the quote requires. Zero if the wallet can't pay anything.
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
