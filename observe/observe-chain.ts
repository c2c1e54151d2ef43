import type { SeededRandom } from '../sim/time/seeded-random.ts'
import { readSightings, type ObservedChain } from './chain/read-sightings.ts'
import type { Sightings } from './chain/sightings.ts'
import type { KnownPayment } from './infer/link-problem.ts'
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

/** Sightings without the orders that an insider knows, and the payments of these orders. */
export interface Inside {
  readonly sightings: Sightings
  readonly paid: readonly KnownPayment[]
}

/**
 * Reads a pool's whole history through JSON-RPC, links payments with deposits, and looks for leaks. If the observer is
 * an insider, `inside` removes the orders that the insider knows.
 */
export async function observeChain(
  chain: ObservedChain,
  random: SeededRandom,
  effort: Effort = USUAL_EFFORT,
  inside = (sightings: Sightings): Inside => ({ sightings, paid: [] }),
): Promise<Observation> {
  const { sightings, paid } = inside(await readSightings(chain))
  const links = inferLinks(sightings, random.stream('links'), effort, paid)
  return {
    ...{ sightings, links },
    wallets: walletChances(sightings, links),
    findings: findLeaks(sightings, links, random.stream('leaks')),
  }
}
