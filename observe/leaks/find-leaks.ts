import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Sightings } from '../chain/sightings.ts'
import type { PaymentLinks } from '../infer/infer-links.ts'
import { findDelays } from './delays.ts'
import { findDependences } from './dependences.ts'
import type { Finding } from './finding.ts'
import { findDeadlines, findPublicTimes, findRoots } from './public-times.ts'
import { findFailedPayees } from './failed-payees.ts'
import { findForms } from './random-forms.ts'

/** Finds the facts that the chain should hide but shows, as far as these tests can detect them. */
export function findLeaks(
  sightings: Sightings,
  links: readonly PaymentLinks[],
  random: SeededRandom,
): Finding[] {
  return [
    ...findForms(sightings),
    ...findFailedPayees(sightings),
    ...findDeadlines(sightings),
    ...findPublicTimes(sightings),
    ...findRoots(sightings),
    ...findDelays(sightings, links, random),
    ...findDependences(sightings, links, random),
  ]
}
