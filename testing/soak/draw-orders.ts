import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { SeededRandom } from '../../sim/time/seeded-random.ts'

export const KINDS = ['sol', 'token', 'sol_partner', 'token_exact_out', 'buy', 'sell'] as const
export type Kind = (typeof KINDS)[number]

/** What its user does with an order. */
export const FATES = ['prompt', 'refreshed', 'late', 'hurried', 'abandoned'] as const
export type Fate = (typeof FATES)[number]

/** How an order of each fate may end. A hurried one is paid for just before its expiry passes. */
export const ENDS: Readonly<Record<Fate, readonly string[]>> = {
  prompt: ['delivered'],
  refreshed: ['delivered'],
  late: ['refunded'],
  hurried: ['delivered', 'refunded'],
  abandoned: ['expired'],
}

export interface DrawnOrder {
  readonly index: number
  readonly kind: Kind
  readonly fate: Fate
  readonly source: Address
  readonly destination: Address
  /** Base units: what is paid in, or with `token_exact_out` what arrives. */
  readonly amount: bigint
  readonly isExactOut: boolean
  /** The partner's share in basis points. */
  readonly feeBps: number | undefined
}

const SHARES: readonly Fate[] = [
  ...Array<Fate>(13).fill('prompt'),
  ...Array<Fate>(2).fill('refreshed'),
  ...Array<Fate>(2).fill('late'),
  'hurried',
  ...Array<Fate>(2).fill('abandoned'),
]

const SOL = 10_000_000n
const TOKEN = 5_000_000n
const STEPS = 900

/** The orders of a run, which follow from its seed; every kind and fate occurs in every forty. */
export function drawOrders(seed: number, count: number, usdc: Address): DrawnOrder[] {
  const random = new SeededRandom(`orders/${seed}`)
  return Array.from({ length: count }, (_, index) => {
    const kind = KINDS[index % KINDS.length] as Kind
    // A step that has no divisor in common with the kinds: each fate meets each kind.
    const fate = SHARES[(index * 7 + Math.floor(index / KINDS.length)) % SHARES.length] as Fate
    const isSolGiven = kind === 'sol' || kind === 'sol_partner' || kind === 'buy'
    const isSolPaid = kind === 'sol' || kind === 'sol_partner' || kind === 'sell'
    const unit = isSolGiven ? SOL : TOKEN
    return {
      ...{ index, kind, fate },
      source: isSolGiven ? NATIVE_MINT : usdc,
      destination: isSolPaid ? NATIVE_MINT : usdc,
      // Odd amounts, so that every rounding is met.
      amount: unit * 10n + BigInt(random.below(STEPS)) * 77_777n,
      isExactOut: kind === 'token_exact_out',
      feeBps: kind === 'sol_partner' || kind === 'token_exact_out' ? 37 : undefined,
    }
  })
}
