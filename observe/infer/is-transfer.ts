import { grossOf, type SeenSettlement, type Sightings } from '../chain/sightings.ts'
import { isRound } from './amounts.ts'

/**
 * True if a settlement takes the whole of a deposit with an odd value. The chance that this is a coincidence is one in
 * a million.
 */
export function isTransfer({ deposits }: Sightings, settlement: SeenSettlement): boolean {
  const gross = grossOf(settlement)
  if (isRound(gross) || isRound(settlement.payout)) return false
  return deposits.some(
    ({ asset, value, leafIndex }) =>
      asset === settlement.asset && value === gross && leafIndex < settlement.leafIndex,
  )
}
