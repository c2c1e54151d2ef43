import { amount, NATIVE_MINT, STEP_MAX, addressFromBytes, type Address } from '@sotto/protocol'
import { epochAt } from '../../packages/server/src/domain/epoch.ts'
import type { Signer } from '../../packages/server/src/ports/signer.ts'
import { DOMAIN } from '../chain/domain.ts'
import type { SeededRandom } from '../time/seeded-random.ts'

/**
 * Every run starts at this time. It is ten minutes before the end of an hour, so that many orders begin in one hour and
 * end in a later hour. It is 70 minutes before the end of a day, so that later payments postpone the end of their
 * balances.
 */
export const START_MS = 1_800_053_400_000

/**
 * Two past epochs. Their keys still exist when the run starts. The service must destroy the first key at the start of
 * the run. It must destroy the second key ten minutes later, while faults last.
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

/** The limits of the priority fee that services offer. */
export const PRICES = {
  ...{ floor: 0, ceiling: STEP_MAX, percentile: 75 },
  /**
   * The maximum sum of an order's priority fees: three settlements at the maximum priority fee. This is also the
   * service's default.
   */
  orderMax: amount(786_432n),
} as const

export const ORDER_SECONDS = 300
export const SPREAD_BPS = 30
export const DELIVERY_WINDOW_SECONDS = 1_200
/** A key is kept for this time after its last order has ended. */
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
  /** The wallet of the attacker who floods the tree. */
  readonly attacker: Address
}

const addressOf = (random: SeededRandom): Address => addressFromBytes(random.bytes(32))

/** Draws the address of a wallet. */
export const drawAddress = addressOf

/** A signing key. Its signatures aren't real: the fake chain records which key signed each transaction. */
function keyOf(random: SeededRandom): Signer {
  return { address: addressOf(random), sign: async () => new Uint8Array(64) }
}

/** Draws the keys of a service's two relayers. */
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
