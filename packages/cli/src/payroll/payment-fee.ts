import { amount, type Amount } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'

/** Basis points in the whole sum. */
const WHOLE_BPS = 10_000n

/** The members of a listed asset that determine fees. */
export type Tariff = Pick<Token, 'serviceFeeBps' | 'networkFee'>

/**
 * The greatest fee of a payment that delivers `payout` base units, by the service's public tariff. If the recipient has
 * no account for the asset yet, its creation may cost more.
 */
export function greatestFee(payout: Amount, { serviceFeeBps, networkFee }: Tariff): Amount {
  const [exists, created] = [BigInt(networkFee.accountExists), BigInt(networkFee.accountCreated)]
  const network = exists > created ? exists : created
  const kept = WHOLE_BPS - BigInt(serviceFeeBps)
  // The least sum from which payout and network fee can still be paid after the service's share, which is rounded up.
  const gross = ((payout + network) * WHOLE_BPS + kept - 1n) / kept
  return amount(gross - payout)
}
