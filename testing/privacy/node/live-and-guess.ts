import { inferLinks, type PaymentLinks } from '../../../observe/infer/infer-links.ts'
import { SeededRandom } from '../../../sim/time/seeded-random.ts'
import { guessPayees, type Guesses } from './guess-payees.ts'
import {
  liveThrough,
  type LivedTransfers,
  type Payees,
  type Protection,
  type TrueTransfer,
} from './live-through.ts'

export const SEED = process.env['SOTTO_SEED'] ?? 'curious node'
export const PAYMENTS = 200
/** Upper limit for the right guesses with the node's requests, divided by the right guesses from the chain alone. */
export const RATIO_MAX = 1.2

const EFFORT = { runs: 2, warmUp: 30, sweeps: 60 }

/** Transfers, with the links between their deposits and deliveries that an observer of the chain infers. */
interface Watched extends LivedTransfers {
  readonly links: readonly PaymentLinks[]
}

/** Runs transfers, and links their deposits and deliveries as an observer of the chain does. */
export async function live(
  protection: Protection,
  payees: Payees,
  payments = PAYMENTS,
): Promise<Watched> {
  const lived = await liveThrough(protection, { payments, payees, seed: SEED })
  return { ...lived, links: inferLinks(lived.sightings, new SeededRandom(SEED), EFFORT) }
}

/** The node's guesses for all transfers, or for those that `which` selects. */
export const guess = (lived: Watched, which?: (transfer: TrueTransfer) => boolean) =>
  guessPayees(lived, lived.links, lived.node.seen, which)

export const shown = ({ deposits, right, chance, clue }: Guesses) =>
  `${right} of ${deposits} payees guessed, ${chance} from the chain alone; best clue: ${clue}`

/** How many times more payees the node guesses with its requests than from the chain alone. */
export const ratio = ({ right, chance }: Guesses) => right / chance
