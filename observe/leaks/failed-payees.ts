import { otherPayees } from '../chain/failed-notes.ts'
import type { Sightings } from '../chain/sightings.ts'
import type { Finding } from './finding.ts'

/**
 * Finds notes for which a failed settlement named a different payee from the one who was paid. If the note was
 * refunded, the failed settlement shows whom the depositing wallet wanted to pay. If another payee was paid, one payer
 * wanted to pay both payees.
 */
export function findFailedPayees(sightings: Sightings): Finding[] {
  const others = otherPayees(sightings)
  const shown = sightings.settlements.filter(({ index }) => (others[index]?.length ?? 0) > 0)
  if (shown.length === 0) return []
  const refunds = shown.filter(({ isRefund }) => isRefund).length
  const seen = `failed settlements show other payees of ${shown.length} notes; ${refunds} of these notes were refunded`
  return [{ leak: 'failed-payee', seen, chance: 0 }]
}
