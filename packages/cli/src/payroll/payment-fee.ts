import { amount, type Amount } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

/** Basis points that make up 100 %. */
const WHOLE_BPS = 10_000n

/** The members of a listed asset that determine its fees. */
export type Tariff = Pick<Token, 'serviceFeeBps' | 'networkFee'>

/**
 * The maximum fee of a payment that delivers `payout` base units, by the service's public tariff. If the recipient
 * has no account for the asset yet, creating the account may cost more.
 * @throws CliError FEE_INVALID if the tariff takes the whole payment.
 */
export function greatestFee(payout: Amount, { serviceFeeBps, networkFee }: Tariff): Amount {
  const [exists, created] = [BigInt(networkFee.accountExists), BigInt(networkFee.accountCreated)]
  const network = exists > created ? exists : created
  const kept = WHOLE_BPS - BigInt(serviceFeeBps)
  if (kept <= 0n) {
    const message = `the service states a fee of ${serviceFeeBps} basis points, which is the whole payment`
    throw new CliError(EXIT.unsafe, 'FEE_INVALID', message, 'nothing was paid; use another service')
  }
  // The smallest amount that covers the payout, the network fee and the service's share, which is rounded up.
  const gross = ((payout + network) * WHOLE_BPS + kept - 1n) / kept
  return amount(gross - payout)
}
