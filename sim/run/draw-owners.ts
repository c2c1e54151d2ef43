import { BalanceOwner } from '../actors/balance-owner.ts'
import { START_MS } from '../actors/setting.ts'
import type { Stage } from '../actors/stage.ts'
import { topUpEpochAt } from '../../packages/server/src/domain/epoch.ts'
import { KEPT_EPOCHS } from '../../packages/server/src/settlement/upkeep/reseal-stragglers.ts'
import type { SeededRandom } from '../time/seeded-random.ts'

/** If a run has two balances, one owner has both with this probability. */
const TWINS = 0.5

/** The share of the runs with a veteran: an owner whose balance was opened a month before the run. */
const VETERANS = 0.2

/** Draws the owners of the balances that are opened in the run. In some runs, also draws a veteran. */
export function drawOwners(
  stage: Stage,
  services: ConstructorParameters<typeof BalanceOwner>[1],
  count: number,
  random: SeededRandom,
): BalanceOwner[] {
  const owners = Array.from({ length: count }, (_, index) => {
    const name = `owner-${index + 1}`
    return new BalanceOwner(stage, services, name, random.stream(name))
  })
  const twins = random.stream('twins')
  const [twin] = owners
  if (count === 2 && twin !== undefined && twins.chance(TWINS)) {
    owners[1] = new BalanceOwner(stage, services, 'twin', twins, { twin })
  }
  const months = random.stream('months')
  if (!months.chance(VETERANS)) return owners
  return [...owners, new BalanceOwner(stage, services, 'veteran', months, { isVeteran: true })]
}

/**
 * The epoch in which a veteran's balance was opened. The balance's key becomes 30 days old at the start of the run, or
 * when the first or the second hour after the start begins. Then the service must replace the key. The first hour
 * begins after ten minutes. By then, a service has rarely made the two counts of notes after which it may replace a
 * key. The second hour begins an hour later. So runs with the second hour show whether a service replaces a key too
 * early.
 */
export const veteranEpochOf = (random: SeededRandom): number =>
  topUpEpochAt(START_MS) - KEPT_EPOCHS + random.stream('veteran').below(3)
