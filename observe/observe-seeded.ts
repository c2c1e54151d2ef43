import { SeededRandom } from '../sim/time/seeded-random.ts'
import type { ObservedChain } from './chain/read-sightings.ts'
import { observeChain, type Observation } from './observe-chain.ts'

/** Observes a chain; the same seed and history always give the same conclusions. */
export const observeSeeded = (chain: ObservedChain, seed: string): Promise<Observation> =>
  observeChain(chain, new SeededRandom(seed))
