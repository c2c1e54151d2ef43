import { SeededRandom } from '../sim/time/seeded-random.ts'
import type { ObservedChain } from './chain/read-sightings.ts'
import { observeChain, type Observation } from './observe-chain.ts'

/** Observes a chain. With the same seed and the same history, the conclusions are always the same. */
export const observeSeeded = (chain: ObservedChain, seed: string): Promise<Observation> =>
  observeChain(chain, new SeededRandom(seed))
