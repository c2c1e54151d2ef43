import { amount, NATIVE_MINT, STEP_MAX, addressFromBytes, type Address } from '@sotto/protocol'
import { epochAt } from '../../packages/server/src/domain/epoch.ts'
import type { Signer } from '../../packages/server/src/ports/signer.ts'
import { DOMAIN } from '../chain/domain.ts'
import type { SeededRandom } from '../time/seeded-random.ts'

/**
 * The start time of every run. It is ten minutes before an hour's end, so that orders end in a later hour. It is also
 * 70 minutes before a day's end, so that late payments postpone the end of their balances.
 */
export const START_MS = 1_800_053_400_000

/**
 * Two epochs from before the run. Their keys still exist: one is due for destruction at the start, the other ten
 * minutes later, while faults occur.
 */
export const OLD_EPOCHS: readonly number[] = [-25, -24].map((hours) => epochAt(START_MS) + hours)

export const DOLLAR_MINT = addressFromBytes(new Uint8Array(32).fill(7))
export const MINTS: readonly Address[] = [NATIVE_MINT, DOLLAR_MINT]

export const ACCOUNT = {
  ...{ id: 'partner', isDisabled: false },
  ...{ feeBpsMax: 200, openSwapsMax: 20, openOrdersMax: 1_000 },
}

export const SENDER_LAMPORTS = 3_000_000_000n
export const SENDER_DOLLARS = 2_000_000_000n
export const RELAYER_LAMPORTS = 2_000_000_000n
export const INVENTORY = 2_000_000_000n

/** The limits of the price that services offer for priority. */
export const PRICES = {
  ...{ floor: 0, ceiling: STEP_MAX, percentile: 75 },
  /** The cost of three settlements at the highest price, which is also the default. */
  orderMax: amount(786_432n),
} as const

export const ORDER_SECONDS = 300
export const SPREAD_BPS = 30
export const DELIVERY_WINDOW_SECONDS = 1_200
/** Time for which a key is kept after its last order has ended. */
export const RETENTION_MS = 86_400_000
export const DELAYS = { minDelaySeconds: 5, meanSeconds: 20, maxDelaySeconds: 60 }

/** Addresses and keys of a run. */
export interface Parties {
  readonly program: Address
  readonly tree: Address
  readonly domain: Uint8Array
  readonly authoriser: Signer
  readonly relayers: readonly Signer[]
  readonly partner: Address
  /** The attacker who floods the tree. */
  readonly attacker: Address
}

const addressOf = (random: SeededRandom): Address => addressFromBytes(random.bytes(32))

/** A wallet of a run. */
export const drawAddress = addressOf

/** A key whose signatures aren't verified; the fake chain records the signer of each transaction. */
function keyOf(random: SeededRandom): Signer {
  return { address: addressOf(random), sign: async () => new Uint8Array(64) }
}

/** Two relayers of a service. */
export const drawRelayers = (random: SeededRandom): Signer[] => [keyOf(random), keyOf(random)]

export function drawParties(random: SeededRandom): Parties {
  return {
    program: addressOf(random),
    tree: addressOf(random),
    domain: DOMAIN,
    authoriser: keyOf(random),
    relayers: drawRelayers(random),
    partner: addressOf(random),
    attacker: addressOf(random),
  }
}
