import { otherPayees } from '../chain/failed-notes.ts'
import type { Sightings } from '../chain/sightings.ts'
import type { Finding } from './finding.ts'

/**
 * Finds notes for which a failed settlement named another payee than the one that was paid. If the note was refunded,
 * this shows whom the depositing wallet wanted to pay. If someone else was paid, one payer wanted to pay both.
 */
export function findFailedPayees(sightings: Sightings): Finding[] {
  const others = otherPayees(sightings)
  const shown = sightings.settlements.filter(({ index }) => (others[index]?.length ?? 0) > 0)
  if (shown.length === 0) return []
  const refunds = shown.filter(({ isRefund }) => isRefund).length
  const seen = `failed settlements show other payees of ${shown.length} notes; ${refunds} of these notes were refunded`
  return [{ leak: 'failed-payee', seen, chance: 0 }]
}
