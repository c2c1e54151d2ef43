import type { SeenSettlement, Sightings } from '../chain/sightings.ts'
import type { PaymentLinks } from '../infer/infer-links.ts'

/** The observer's conclusions about which wallet made one payment. */
export interface WalletChances {
  readonly settlement: SeenSettlement
  /** The chance of each wallet, with the most likely wallet first. */
  readonly wallets: readonly { readonly wallet: string; readonly chance: number }[]
  /**
   * The effective number of wallets: 2 to the power of the entropy. If this many wallets were equally likely, the
   * observer would be equally uncertain.
   */
  readonly effectiveSet: number
}

/** If one wallet's chance is at least this high, the payment counts as linked with certainty. */
export const CERTAIN = 0.99

/** For each wallet, adds up the chances of the wallet's deposits. */
export function walletChances(
  sightings: Sightings,
  links: readonly PaymentLinks[],
): WalletChances[] {
  return links.flatMap(({ settlement: index, candidates }) => {
    const settlement = sightings.settlements[index]
    if (settlement === undefined) return []
    const sums = new Map<string, number>()
    for (const { deposit, chance } of candidates) {
      const wallet = sightings.deposits[deposit]?.sender ?? ''
      sums.set(wallet, (sums.get(wallet) ?? 0) + chance)
    }
    const wallets = [...sums]
      .map(([wallet, chance]) => ({ wallet, chance }))
      .sort((left, right) => right.chance - left.chance)
    return [{ settlement, wallets, effectiveSet: 2 ** entropyOf(wallets) }]
  })
}

/** The entropy in bits. If the chances add up to less than 1, the difference counts as one more possibility. */
function entropyOf(wallets: readonly { readonly chance: number }[]): number {
  const rest = 1 - wallets.reduce((sum, { chance }) => sum + chance, 0)
  return [...wallets, { chance: Math.max(0, rest) }].reduce(
    (bits, { chance }) => (chance > 0 ? bits - chance * Math.log2(chance) : bits),
    0,
  )
}
