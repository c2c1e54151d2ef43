import { isRound } from '../infer/amounts.ts'
import { grossOf } from '../chain/sightings.ts'
import { hexOf, type Ledger, type TrueLink } from '../load/ledger.ts'
import type { Sightings } from '../chain/sightings.ts'
import { CERTAIN, type WalletChances } from './wallet-chances.ts'

/** A class of payments. Its figures need no knowledge of the true links. */
export interface Summary {
  readonly name: string
  readonly payments: number
  readonly effectiveSet: number
  /** The mean chance of the wallet that the observer considers most likely. */
  readonly likeliest: number
  /** The share of payments for which one wallet has a chance of at least 0.99. */
  readonly certain: number
}

/** A class of payments with figures that need the true links. */
export interface ScoredSummary extends Summary {
  /** The mean chance of the true wallet. */
  readonly posterior: number
  readonly medianPosterior: number
  /** The share of payments whose true wallet has a chance of at least 0.99. */
  readonly certainAndTrue: number
  /**
   * The share of correct claims. The observer makes a claim if it gives one wallet of a payment a chance above one
   * half. NaN if there are no claims.
   */
  readonly precision: number
  /** The share of all payments for which the true wallet has a chance above one half. */
  readonly recall: number
}

/** A payment with the observer's conclusions and its true wallet. */
export interface ScoredPayment {
  readonly chances: WalletChances
  readonly truth: TrueLink
  /** The wallet that made the deposit. */
  readonly wallet: string
  /** The chance that the observer gave to the true wallet. */
  readonly posterior: number
  /** True if the history has no other payment to the same payee. */
  readonly isPaidOnce: boolean
}

/**
 * Combines the observer's conclusions with the true links.
 *
 * @throws Error if the ledger names a deposit that isn't on the chain.
 */
export function scorePayments(
  { deposits }: Sightings,
  all: readonly WalletChances[],
  { links }: Ledger,
): ScoredPayment[] {
  const truths = new Map(links.map((link) => [link.settlement, link]))
  const wallets = new Map(deposits.map(({ orderId, sender }) => [hexOf(orderId), sender]))
  const times = new Map<string, number>()
  for (const { settlement } of all) {
    times.set(settlement.payee, (times.get(settlement.payee) ?? 0) + 1)
  }
  return all.flatMap((chances) => {
    const truth = truths.get(chances.settlement.signature)
    if (truth === undefined) return []
    const wallet = wallets.get(truth.orderId)
    if (wallet === undefined) throw new Error('the ledger names a deposit that is not on the chain')
    const found = chances.wallets.find((one) => one.wallet === wallet)
    const isPaidOnce = times.get(chances.settlement.payee) === 1
    return [{ chances, truth, wallet, posterior: found?.chance ?? 0, isPaidOnce }]
  })
}

/** The mean; NaN if there are no numbers. */
export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right)
  const [low, high] = [(sorted.length - 1) / 2, sorted.length / 2].map(Math.floor)
  return ((sorted[low ?? 0] ?? NaN) + (sorted[high ?? 0] ?? NaN)) / 2
}

const topOf = ({ wallets }: WalletChances): number => wallets[0]?.chance ?? 0

function summarise(name: string, all: readonly WalletChances[]): Summary {
  return {
    ...{ name, payments: all.length },
    effectiveSet: 2 ** mean(all.map(({ effectiveSet }) => Math.log2(effectiveSet))),
    likeliest: mean(all.map(topOf)),
    certain: mean(all.map((one) => (topOf(one) >= CERTAIN ? 1 : 0))),
  }
}

/** Summarises all given payments as one class. */
export function summariseScored(name: string, scored: readonly ScoredPayment[]): ScoredSummary {
  const posteriors = scored.map(({ posterior }) => posterior)
  const claims = scored.filter(({ chances }) => topOf(chances) > CLAIMED)
  const right = claims.filter(({ posterior }) => posterior > CLAIMED)
  return {
    ...summarise(
      name,
      scored.map(({ chances }) => chances),
    ),
    posterior: mean(posteriors),
    medianPosterior: medianOf(posteriors),
    certainAndTrue: mean(posteriors.map((one) => (one >= CERTAIN ? 1 : 0))),
    precision: right.length / claims.length,
    recall: right.length / scored.length,
  }
}

/** If a wallet's chance is above this, the observer claims that the wallet made the payment. */
const CLAIMED = 0.5

/** Groups items by their name. The groups are sorted by name. */
export function grouped<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = nameOf(item)
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [item])
    else known.push(item)
  }
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** One summary for each asset and class of amounts, computed from the chain alone. */
export function summariseChain(all: readonly WalletChances[]): Summary[] {
  const nameOf = ({ settlement }: WalletChances): string => {
    const isOdd = !isRound(settlement.payout) && !isRound(grossOf(settlement))
    return `${settlement.asset.slice(0, ASSET_SHOWN)}, ${isOdd ? 'odd' : 'round'}`
  }
  return grouped(all, nameOf).map(([name, group]) => summarise(name, group))
}

const ASSET_SHOWN = 4

const KIND_NAMES: Readonly<Record<TrueLink['way'], string>> = {
  transfer: 'transfer, default delay',
  patient: 'transfer, up to an hour',
  balance: 'out of a balance',
  fresh: 'top-up and pay',
  waiting: 'top-up, wait and pay',
  crowd: 'transfer in its crowd',
  missed: 'transfer without the crowd it asked for',
  payroll: 'list out of balances',
}

/** The name of a class of payments in a scored summary. */
export const kindOf = ({ way, amountKind }: Pick<TrueLink, 'way' | 'amountKind'>): string =>
  amountKind === 'swap' ? 'swap' : `${KIND_NAMES[way]}, ${amountKind}`

/** One summary for each kind of payment and class of amounts, compared with the true links. */
export const summariseScores = (scored: readonly ScoredPayment[]): ScoredSummary[] =>
  grouped(scored, ({ truth }) => kindOf(truth)).map(([name, group]) => summariseScored(name, group))

const DAY = 86_400

/**
 * Summarises payments out of balances, separately for each day since the pool's first deposit. In its first days, a
 * pool has few balances that could have made a payment.
 */
export function summariseDays(
  scored: readonly ScoredPayment[],
  { deposits }: Sightings,
): ScoredSummary[] {
  const begin = deposits[0]?.seconds ?? 0
  const days = scored
    .filter(({ truth }) => truth.way === 'balance' && truth.amountKind !== 'rest')
    .reduce((found, one) => {
      const day = Math.floor((one.chances.settlement.seconds - begin) / DAY)
      return found.set(day, [...(found.get(day) ?? []), one])
    }, new Map<number, ScoredPayment[]>())
  return [...days]
    .sort(([left], [right]) => left - right)
    .map(([day, group]) => summariseScored(`out of a balance, day ${day + 1}`, group))
}
