import { grossOf, type Sightings } from '../chain/sightings.ts'

/**
 * A deposit is in a crowd for at most this many seconds: the longest usual delay plus the time to prove and to land.
 */
const CROWD_SECONDS = 1_920

/** The wallets with a recent deposit of a payment's value: none, several, or the number of the only wallet. */
export type RecentWallets = number | 'none' | 'several'

/**
 * For each settlement: the wallets that made a deposit of the settlement's value shortly before. A transfer can be
 * delivered in a crowd only if another wallet made one of these deposits.
 */
export function recentWallets(
  { deposits, settlements }: Sightings,
  senderOf: readonly number[],
): RecentWallets[] {
  const byValue = new Map<string, { seconds: number; sender: number }[]>()
  for (const { index, asset, value, seconds } of deposits) {
    const key = `${asset} ${value}`
    const known = byValue.get(key) ?? []
    byValue.set(key, known)
    known.push({ seconds, sender: senderOf[index] ?? 0 })
  }
  return settlements.map((one) => {
    const known = byValue.get(`${one.asset} ${grossOf(one)}`) ?? []
    const senders = new Set<number>()
    for (const { seconds, sender } of known) {
      const age = one.seconds - seconds
      if (age >= 0 && age <= CROWD_SECONDS) senders.add(sender)
    }
    const [only] = senders
    if (only === undefined) return 'none'
    return senders.size === 1 ? only : 'several'
  })
}
