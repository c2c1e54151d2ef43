import type { Address } from '@sotto/protocol'
import type { AssetFacts, Chain, PoolFacts } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  AssetListing,
  MarketRecord,
  MarketStore,
  Reservation,
  UnpaidOrders,
} from '../../ports/market-store.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { askUpstream } from '../ask-upstream.ts'
import { indexAnonymitySets, type AnonymitySets } from '../../domain/anonymity-sets.ts'
import { ServiceError } from '../service-error.ts'

/** Older facts quote nothing: limits, prices and pauses would be guesses. */
const FRESH_MS = 10_000

/** Workers look at their relayers several times a minute; one that hasn't for so long is gone. */
const WATCHED_MS = 600_000

/** How long a caller waits who is refused because the chain isn't followed: failing workers pause as long. */
const UNFOLLOWED_RETRY_SECONDS = 30

/** Clocks of two hosts differ by less; a report from further ahead would count for as long as it is ahead. */
const AHEAD_MS = 60_000

/** An asset that the operator lists and the pool knows. */
export interface MarketAsset {
  readonly listing: AssetListing
  readonly facts: AssetFacts
  /** What unpaid swaps hold back of its inventory. */
  readonly reserved: bigint
  /** The same by account. */
  readonly reservedBy: ReadonlyMap<string, bigint>
}

/** What quotes are made from: one look at chain and database. */
export interface Market {
  readonly pool: PoolFacts
  readonly assets: ReadonlyMap<string, MarketAsset>
  readonly anonymitySets: AnonymitySets
  readonly isPaused: boolean
  /** False where the relayers couldn't pay for many more deliveries, or no worker says that they can. */
  readonly isLiquid: boolean
  /** For how many more orders the relayers could pay; undefined where no worker says so. */
  readonly freeOrders: number | undefined
  readonly unpaid: readonly UnpaidOrders[]
  /** The chain's clock at a finalized slot: what isn't valid at it any more lands never. */
  readonly finalSeconds: bigint
  /** False where no worker has brought the database up to the chain for too long: deposits aren't seen. */
  readonly isFollowed: boolean
  readonly takenAtMs: number
}

export interface MarketDependencies {
  readonly chain: Chain
  readonly store: MarketStore
  readonly clock: Clock
  /** An anonymity set counts deposits of so many seconds: the longest usual delay of a delivery. */
  readonly anonymitySetSeconds: number
  /** Milliseconds after which a chain that no worker has followed further counts as not followed. */
  readonly unfollowedMs: number
}

/** Keeps the newest look; refreshed in the background so that quotes and lists wait for nobody. */
export class MarketView {
  readonly #d: MarketDependencies
  readonly #openedMs: number
  #market: Market | undefined
  #running: Promise<Market> | undefined
  #looks = 0
  /** Swaps that this process made after the look began that `#market` is from. */
  #made: readonly (Reservation & { readonly look: number })[] = []

  constructor(dependencies: MarketDependencies) {
    this.#d = dependencies
    this.#openedMs = dependencies.clock.nowMs()
  }

  /** The newest look, however old; undefined before the first. */
  get latest(): Market | undefined {
    return this.#market
  }

  /** A look that is fresh enough to promise something. @throws ServiceError UPSTREAM_UNAVAILABLE. */
  fresh(): MaybePromise<Market> {
    const age = this.#d.clock.nowMs() - (this.#market?.takenAtMs ?? -FRESH_MS)
    if (this.#market !== undefined && age < FRESH_MS) return this.#market
    return askUpstream(() => this.refresh())
  }

  /** Looks again; requests that ask meanwhile share one look. */
  refresh(): Promise<Market> {
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /**
   * Counts a swap that was just stored against its inventory, so that quotes don't offer it until the
   * next look. Replicas learn of it by theirs; their orders are held to the database.
   */
  reserve(mint: Address, accountId: string, amount: bigint): void {
    this.#made = [...this.#made, { mint, accountId, amount, look: this.#looks }]
    const asset = this.#market?.assets.get(mint)
    if (this.#market === undefined || asset === undefined) return
    const reserved = asset.reserved + amount
    const before = asset.reservedBy.get(accountId) ?? 0n
    const reservedBy = new Map(asset.reservedBy).set(accountId, before + amount)
    const assets = new Map(this.#market.assets).set(mint, { ...asset, reserved, reservedBy })
    this.#market = { ...this.#market, assets }
  }

  async #look(): Promise<Market> {
    const { chain, store, clock, anonymitySetSeconds } = this.#d
    const look = (this.#looks += 1)
    const takenAtMs = clock.nowMs()
    const [pool, finalSeconds] = await Promise.all([chain.readPool(), chain.readClock()])
    if (pool === undefined) throw new Error('the program has no pool')
    const record = await store.readMarket(finalSeconds - BigInt(anonymitySetSeconds), finalSeconds)
    const facts = await chain.readAssets(record.assets.map(({ mint }) => mint))
    // What was made while this look was under way may be counted twice until the next: never too little.
    this.#made = this.#made.filter((made) => made.look >= look)
    const reservations = [...record.reservations, ...this.#made]
    const assets = record.assets.flatMap((listing, index): [string, MarketAsset][] => {
      const known = facts[index]
      if (known === undefined) return []
      const held = reservedOf(reservations, listing.mint)
      return [[listing.mint, { listing, facts: known, ...held }]]
    })
    this.#market = {
      pool,
      assets: new Map(assets),
      anonymitySets: indexAnonymitySets(record.anonymitySets, anonymitySetSeconds),
      isPaused: pool.depositsPaused || record.halted !== undefined,
      isLiquid: isLiquid(record, this.#openedMs, takenAtMs),
      freeOrders: record.liquidity?.freeOrders,
      unpaid: record.unpaid,
      finalSeconds,
      isFollowed: isFollowed(record, this.#d.unfollowedMs, this.#openedMs, takenAtMs),
      takenAtMs,
    }
    return this.#market
  }
}

function reservedOf(
  reservations: readonly Reservation[],
  of: Address,
): Pick<MarketAsset, 'reserved' | 'reservedBy'> {
  let reserved = 0n
  const reservedBy = new Map<string, bigint>()
  for (const { mint, accountId, amount } of reservations) {
    if (mint !== of) continue
    reserved += amount
    reservedBy.set(accountId, (reservedBy.get(accountId) ?? 0n) + amount)
  }
  return { reserved, reservedBy }
}

/**
 * Of a database that no worker has reported to, nothing is known: one may be starting together with this
 * process, and beyond the time that takes there is none, so that nobody would deliver.
 */
function isLiquid({ liquidity }: MarketRecord, openedMs: number, nowMs: number): boolean {
  if (liquidity === undefined) return nowMs - openedMs < WATCHED_MS
  return liquidity.isLiquid && isRecent(liquidity.atMs, WATCHED_MS, nowMs)
}

function isRecent(atMs: number, withinMs: number, nowMs: number): boolean {
  const ageMs = nowMs - atMs
  return ageMs > -AHEAD_MS && ageMs < withinMs
}

/** Before the first worker has followed the chain, the same holds as before the first report on relayers. */
function isFollowed(
  { followedAtMs }: MarketRecord,
  unfollowedMs: number,
  openedMs: number,
  nowMs: number,
): boolean {
  if (followedAtMs === undefined) return nowMs - openedMs < WATCHED_MS
  return isRecent(followedAtMs, unfollowedMs, nowMs)
}

/**
 * @throws ServiceError SERVICE_PAUSED, UPSTREAM_UNAVAILABLE, LIQUIDITY_UNAVAILABLE where no new transfer may
 * begin.
 */
export function assertOpen(market: Market, ...assets: readonly MarketAsset[]): void {
  if (market.isPaused || assets.some(({ facts }) => facts.depositsPaused)) {
    throw new ServiceError('SERVICE_PAUSED', { retryAfterSeconds: 60 })
  }
  // A deposit that nobody sees would wait until somebody does, or for its refund.
  if (!market.isFollowed) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: UNFOLLOWED_RETRY_SECONDS })
  }
  if (!market.isLiquid) throw new ServiceError('LIQUIDITY_UNAVAILABLE', { retryAfterSeconds: 60 })
}

/** Deposits of a window that could have produced the same delivery, this one included. */
export function anonymitySetOf(
  market: Market,
  of: {
    readonly mint: Address
    readonly amountOut: bigint
    readonly fee: bigint
    readonly windowSeconds: number
  },
): number {
  const { mint: destinationMint, windowSeconds, ...rest } = of
  return 1 + market.anonymitySets.alike({ destinationMint, ...rest }, windowSeconds)
}
