import type { SeenSettlement, Sightings } from './sightings.ts'

/**
 * For each settlement, by its index: the payees of earlier failed settlements of the same note, without the
 * settlement's own payee. The payer of the settlement wanted to pay these other payees too. A failed settlement after
 * the successful one shows nothing, because by then anyone could have copied the nullifier.
 */
export function otherPayees({ settlements, failed }: Sightings): SeenSettlement['payee'][][] {
  return settlements.map((one) => {
    const same = failed.filter(
      ({ nullifier, asset, seconds, isRefund }) =>
        !isRefund && nullifier === one.nullifier && asset === one.asset && seconds <= one.seconds,
    )
    return [...new Set(same.map(({ payee }) => payee))].filter((payee) => payee !== one.payee)
  })
}
