import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { SeededRandom } from '../../sim/time/seeded-random.ts'

export const KINDS = ['sol', 'token', 'sol_partner', 'token_exact_out', 'buy', 'sell'] as const
export type Kind = (typeof KINDS)[number]

/**
 * The behaviour of an order's user, which determines how the order ends. A crowded order waits for a crowd that never
 * forms.
 */
export const FATES = ['prompt', 'refreshed', 'late', 'crowded', 'hurried', 'abandoned'] as const

/** The behaviour of an attacker: see `attacks.ts` and `option-hunters.ts`. */
export type Attack = 'hunting' | 'closing' | 'turning'
export type Fate = (typeof FATES)[number] | Attack

/**
 * The possible final statuses for each fate. A hurried order is paid just before the time is advanced past the order's
 * expiry. The service may still deliver the order before the time is advanced.
 */
export const ENDS: Readonly<Record<Fate, readonly string[]>> = {
  prompt: ['delivered'],
  refreshed: ['delivered'],
  late: ['refunded'],
  crowded: ['refunded'],
  hurried: ['delivered', 'refunded'],
  abandoned: ['expired'],
  hunting: ['delivered', 'expired'],
  closing: ['delivered', 'refunded'],
  turning: ['delivered', 'refunded'],
}

export interface DrawnOrder {
  readonly index: number
  readonly kind: Kind
  readonly fate: Fate
  readonly source: Address
  readonly destination: Address
  /** The input in base units. For `token_exact_out`, the output in base units. */
  readonly amount: bigint
  readonly isExactOut: boolean
  /** The partner's share in basis points. */
  readonly feeBps: number | undefined
}

const SHARES: readonly Fate[] = [
  ...Array<Fate>(13).fill('prompt'),
  ...Array<Fate>(2).fill('refreshed'),
  'late',
  'crowded',
  'hurried',
  ...Array<Fate>(2).fill('abandoned'),
]

/**
 * The fates of orders that end even if the chain's time isn't advanced. The other orders end only after their expiry,
 * more than an hour later.
 */
const UNADVANCED_SHARES: readonly Fate[] = SHARES.filter(
  (fate) => fate !== 'late' && fate !== 'crowded' && fate !== 'hurried',
)

const SOL = 10_000_000n
const TOKEN = 5_000_000n
const STEPS = 900

/**
 * Draws the orders of a run from the seed. Each block of forty orders contains every kind and every fate. The fates of
 * orders that end only after the chain's time is advanced occur only if `canAdvance` is true.
 */
export function drawOrders(
  seed: number,
  count: number,
  usdc: Address,
  canAdvance = true,
): DrawnOrder[] {
  const shares = canAdvance ? SHARES : UNADVANCED_SHARES
  const random = new SeededRandom(`orders/${seed}`)
  return Array.from({ length: count }, (_, index) => {
    const kind = KINDS[index % KINDS.length] as Kind
    // From one order of a kind to the next, the index into `shares` grows by 7 * 6 + 1 = 43. This number and the length
    // of `shares` have no common divisor. So each kind occurs with each fate.
    const drawn = shares[(index * 7 + Math.floor(index / KINDS.length)) % shares.length] as Fate
    // A swap can't request a refund if its crowd doesn't form.
    const isSwap = kind === 'buy' || kind === 'sell'
    const fate = drawn === 'crowded' && isSwap ? 'late' : drawn
    const isSolGiven = kind === 'sol' || kind === 'sol_partner' || kind === 'buy'
    const isSolPaid = kind === 'sol' || kind === 'sol_partner' || kind === 'sell'
    const unit = isSolGiven ? SOL : TOKEN
    return {
      ...{ index, kind, fate },
      source: isSolGiven ? NATIVE_MINT : usdc,
      destination: isSolPaid ? NATIVE_MINT : usdc,
      // The amounts have arbitrary digits, so that amounts are rounded in every way.
      amount: unit * 10n + BigInt(random.below(STEPS)) * 77_777n,
      isExactOut: kind === 'token_exact_out',
      feeBps: kind === 'sol_partner' || kind === 'token_exact_out' ? 37 : undefined,
    }
  })
}

const ATTACK_KINDS: readonly (readonly [Attack, Kind])[] = [
  ['hunting', 'buy'],
  ['closing', 'token'],
  ['turning', 'sol'],
]
/** Number of orders for each attack in a wave, in addition to the wave's other orders. */
const OF_EACH_ATTACK = 2

/** Draws the attackers' orders of one wave. Their indices start at `first`. */
export function drawAttacks(seed: number, first: number, usdc: Address): DrawnOrder[] {
  const random = new SeededRandom(`attacks/${seed}/${first}`)
  return Array.from({ length: ATTACK_KINDS.length * OF_EACH_ATTACK }, (_, offset) => {
    const [fate, kind] = ATTACK_KINDS[offset % ATTACK_KINDS.length] as readonly [Attack, Kind]
    const isToken = kind === 'token'
    const amount = (isToken ? TOKEN : SOL) * 10n + BigInt(random.below(STEPS)) * 77_777n
    return {
      ...{ index: first + offset, kind, fate, amount },
      source: isToken ? usdc : NATIVE_MINT,
      destination: kind === 'sol' ? NATIVE_MINT : usdc,
      ...{ isExactOut: false, feeBps: undefined },
    }
  })
}
