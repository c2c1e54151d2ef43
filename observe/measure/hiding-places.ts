import { grossOf, type Sightings } from '../chain/sightings.ts'
import { hexOf, type Ledger } from '../load/ledger.ts'
import { mean, type ScoredPayment } from './summaries.ts'
import { CERTAIN } from './wallet-chances.ts'

/**
 * A group of payments out of balances at rest: balances that were topped up at least an hour before the payment, and
 * not for this payment. For each payment of a group, about the same number of wallets could have made it.
 */
export interface HiddenAmong {
  /** The minimum and the maximum number of wallets that could have made a payment of this group. */
  readonly from: number
  readonly to: number
  readonly payments: number
  /** The mean chance of the true wallet if each wallet that could have paid were equally likely. */
  readonly even: number
  /** The mean chance that the observer gave to the true wallet. */
  readonly posterior: number
  /** The share of payments whose true wallet has a chance of at least 0.99. */
  readonly certain: number
  /** Like `even`, but only for payments whose payee is paid only once. NaN if there are none. */
  readonly onceEven: number
  readonly oncePosterior: number
}

interface Balance {
  readonly wallet: string
  readonly asset: string
  readonly fromSeconds: number
  readonly untilSeconds: number
  readonly value: bigint
  readonly spent: readonly { readonly seconds: number; readonly gross: bigint }[]
}

/** The groups into which payments are divided. Each number is a group's minimum number of wallets. */
const GROUPS = [1, 3, 10, 30, 100, 300]

/**
 * Summarises payments out of balances at rest. For each payment, counts the wallets with an open balance that was large
 * enough, and compares the count with the observer's conclusion. The observer doesn't know this count. The count shows
 * how far the number of balances limits privacy. The result is empty if the ledger doesn't list the balances.
 */
export function summariseHidingPlaces(
  scored: readonly ScoredPayment[],
  sightings: Sightings,
  ledger: Ledger,
): HiddenAmong[] {
  if (ledger.balances === undefined) return []
  const balances = balancesOf(sightings, ledger)
  const times = new Map<string, number>()
  for (const { payee } of sightings.settlements) times.set(payee, (times.get(payee) ?? 0) + 1)
  const counted = scored
    .filter(({ truth }) => truth.way === 'balance' && truth.amountKind !== 'rest')
    .map(({ chances: { settlement }, posterior }) => ({
      posterior,
      isOnce: times.get(settlement.payee) === 1,
      wallets: walletsWith(balances, settlement),
    }))
  return GROUPS.flatMap((from, place) => {
    const to = (GROUPS[place + 1] ?? Infinity) - 1
    const group = counted.filter(({ wallets }) => wallets >= from && wallets <= to)
    if (group.length === 0) return []
    const once = group.filter(({ isOnce }) => isOnce)
    const evenOf = ({ wallets }: (typeof group)[number]): number => 1 / wallets
    const posteriorOf = ({ posterior }: (typeof group)[number]): number => posterior
    return [
      {
        ...{ from, to, payments: group.length },
        ...{ even: mean(group.map(evenOf)), posterior: mean(group.map(posteriorOf)) },
        certain: mean(group.map(({ posterior }) => (posterior >= CERTAIN ? 1 : 0))),
        onceEven: mean(once.map(evenOf)),
        oncePosterior: mean(once.map(posteriorOf)),
      },
    ]
  })
}

function balancesOf({ deposits, settlements }: Sightings, { links, balances }: Ledger): Balance[] {
  const ends = new Map(balances?.map(({ orderId, endSeconds }) => [orderId, endSeconds]))
  const seen = new Map(settlements.map((one) => [one.signature, one]))
  const paid = new Map<string, { seconds: number; gross: bigint; isLast: boolean }[]>()
  for (const { orderId, settlement: signature, amountKind } of links) {
    const settlement = seen.get(signature)
    if (settlement === undefined) continue
    const { seconds } = settlement
    const one = { seconds, gross: grossOf(settlement), isLast: amountKind === 'rest' }
    paid.set(orderId, [...(paid.get(orderId) ?? []), one])
  }
  return deposits.flatMap((deposit) => {
    const orderId = hexOf(deposit.orderId)
    if (!ends.has(orderId)) return []
    const spent = paid.get(orderId) ?? []
    const closed = spent.find(({ isLast }) => isLast)?.seconds
    return [
      {
        ...{ wallet: deposit.sender, asset: deposit.asset, value: deposit.value, spent },
        fromSeconds: deposit.seconds,
        untilSeconds: closed ?? ends.get(orderId) ?? Infinity,
      },
    ]
  })
}

function walletsWith(
  balances: readonly Balance[],
  settlement: Sightings['settlements'][number],
): number {
  const { seconds, asset } = settlement
  const gross = grossOf(settlement)
  const able = balances.filter((one) => {
    if (one.asset !== asset || one.fromSeconds >= seconds || one.untilSeconds < seconds)
      return false
    const before = one.spent.filter((payment) => payment.seconds < seconds)
    return before.reduce((left, payment) => left - payment.gross, one.value) >= gross
  })
  return new Set(able.map(({ wallet }) => wallet)).size
}
