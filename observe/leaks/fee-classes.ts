import type { SeenSettlement } from '../chain/sightings.ts'
import { shownTariffs, tariffClassOf } from '../infer/shown-tariffs.ts'
import { TariffTimeline } from '../infer/tariff-timeline.ts'

/** The label of a fee that follows the asset's tariff. */
export const USUAL_FEE = 'usual'

/**
 * A transfer is usually settled at most this many seconds after its quote. The time at which a tariff changes is only
 * estimated, so a tariff that comes into force within this time after the settlement is accepted too.
 */
const QUOTED_SECONDS = 5_400
/** The tariff is checked at times that are this many seconds apart. */
const STEP_SECONDS = 300
/** A tariff counts as in force at a time if its chance at this time is above this. */
const IN_FORCE = 0.5

/**
 * Labels each settlement with `usual` if its fee follows a tariff that may have been in force at its quote, and with
 * `different` otherwise. The tariff of each moment is estimated from all settlements.
 */
export function feeClasses(settlements: readonly SeenSettlement[]): Map<number, string> {
  const networkFees = shownTariffs(settlements)
  const groups = new Map<string, { index: number; seconds: number; networkFee: bigint }[]>()
  for (const one of settlements) {
    const networkFee = networkFees[one.index]
    if (networkFee === undefined) continue
    const known = groups.get(tariffClassOf(one)) ?? []
    groups.set(tariffClassOf(one), known)
    known.push({ index: one.index, seconds: one.seconds, networkFee })
  }
  const usual = new Set<number>()
  for (const group of groups.values()) {
    const timeline = new TariffTimeline(group.map((one) => ({ ...one, weight: 1 })))
    for (const { index, seconds, networkFee } of group) {
      for (let after = -QUOTED_SECONDS; after <= QUOTED_SECONDS; after += STEP_SECONDS) {
        if (timeline.chanceAt(seconds + after, networkFee) > IN_FORCE) usual.add(index)
      }
    }
  }
  // A payment has no fee if the balance's owner made it without the service.
  const paid = settlements.filter(({ isRefund, fee }) => !isRefund && fee > 0n)
  return new Map(
    paid.map(({ index }) => [index, usual.has(index) ? USUAL_FEE : 'different'] as const),
  )
}
