import type { SeededRandom } from '../sim/time/seeded-random.ts'
import { readSightings, type ObservedChain } from './chain/read-sightings.ts'
import type { Sightings } from './chain/sightings.ts'
import { inferLinks, USUAL_EFFORT, type Effort, type PaymentLinks } from './infer/infer-links.ts'
import type { Finding } from './leaks/finding.ts'
import { findLeaks } from './leaks/find-leaks.ts'
import { walletChances, type WalletChances } from './measure/wallet-chances.ts'

/** All conclusions of the observer about a chain. */
export interface Observation {
  readonly sightings: Sightings
  readonly links: readonly PaymentLinks[]
  readonly wallets: readonly WalletChances[]
  readonly findings: readonly Finding[]
}

/** Reads a pool's whole history through JSON-RPC, links payments with deposits, and looks for leaks. */
export async function observeChain(
  chain: ObservedChain,
  random: SeededRandom,
  effort: Effort = USUAL_EFFORT,
): Promise<Observation> {
  const sightings = await readSightings(chain)
  const links = inferLinks(sightings, random.stream('links'), effort)
  return {
    ...{ sightings, links },
    wallets: walletChances(sightings, links),
    findings: findLeaks(sightings, links, random.stream('leaks')),
  }
}
