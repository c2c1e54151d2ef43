import { amount, type Amount } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'

/** Basis points that make up 100 %. */
const WHOLE_BPS = 10_000n

/** The members of a listed asset that determine its fees. */
export type Tariff = Pick<Token, 'serviceFeeBps' | 'networkFee'>

/**
 * The maximum fee of a payment that delivers `payout` base units, by the service's public tariff. If the recipient
 * has no account for the asset yet, creating the account may cost more.
 */
export function greatestFee(payout: Amount, { serviceFeeBps, networkFee }: Tariff): Amount {
  const [exists, created] = [BigInt(networkFee.accountExists), BigInt(networkFee.accountCreated)]
  const network = exists > created ? exists : created
  const kept = WHOLE_BPS - BigInt(serviceFeeBps)
  // The smallest amount that covers the payout, the network fee and the service's share, which is rounded up.
  const gross = ((payout + network) * WHOLE_BPS + kept - 1n) / kept
  return amount(gross - payout)
}
