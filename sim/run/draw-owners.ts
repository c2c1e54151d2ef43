import { BalanceOwner } from '../actors/balance-owner.ts'
import { START_MS } from '../actors/setting.ts'
import type { Stage } from '../actors/stage.ts'
import { epochAt } from '../../packages/server/src/domain/epoch.ts'
import { KEPT_EPOCHS } from '../../packages/server/src/settlement/upkeep/reseal-stragglers.ts'
import type { SeededRandom } from '../time/seeded-random.ts'

/** Of the runs with two balances, the share in which one owner has both. */
const TWINS = 0.5

/** The share of the runs with a balance that was opened a month before. */
const VETERANS = 0.2

/** The owners of the balances that are opened in the run, and in some runs the owner of an older balance. */
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

/** The hour in which a veteran was opened. Its key is due to change now, or ten minutes later, with the next hour. */
export const veteranEpochOf = (random: SeededRandom): number =>
  epochAt(START_MS) - KEPT_EPOCHS + random.stream('veteran').below(2)
