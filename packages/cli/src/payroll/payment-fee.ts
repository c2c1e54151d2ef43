import { amount, type Amount } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'

/** Ten thousand basis points are the whole. */
const WHOLE_BPS = 10_000n

/** The part of a listed asset that decides about fees. */
export type Tariff = Pick<Token, 'serviceFeeBps' | 'networkFee'>

/**
 * The greatest fee of a payment of which `payout` base units arrive, by the service's public tariff: if the recipient has
 * no account for the asset yet, creating one may cost more.
 */
export function greatestFee(payout: Amount, { serviceFeeBps, networkFee }: Tariff): Amount {
  const [exists, created] = [BigInt(networkFee.accountExists), BigInt(networkFee.accountCreated)]
  const network = exists > created ? exists : created
  const kept = WHOLE_BPS - BigInt(serviceFeeBps)
  // The least sum that leaves payout and network fee after the service's share, rounded up.
  const gross = ((payout + network) * WHOLE_BPS + kept - 1n) / kept
  return amount(gross - payout)
}
