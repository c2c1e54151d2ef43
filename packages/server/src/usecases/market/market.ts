import {
  assetHashOf,
  boundStep,
  TIME_GRID_SECONDS,
  type Address,
  type Poseidon,
  type PriceBounds,
  type PriceStep,
  type UnixSeconds,
} from '@sotto/protocol'
import type { AssetFacts, Chain, PoolFacts } from '../../ports/chain.ts'
import { REPORTED_MS, type Queue } from '../../domain/delivery-schedule.ts'
import { hexOf } from '../../domain/hex.ts'
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
import type { UsualDelay } from '../../domain/observed-deposits.ts'
import { ObservedMarket } from '../../domain/observed-market.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import { ServiceError } from '../service-error.ts'
import {
  FollowError,
  followFaultOf,
  isRecent,
  WATCHED_MS,
  type FollowFault,
  type FollowLimits,
} from './follow-fault.ts'

/** Greatest age of the data for quotes, in milliseconds. Older limits, prices and pauses could be out of date. */
const FRESH_MS = 10_000

/** The retry delay for callers while no worker follows the chain. It equals the longest pause of a failing worker. */
const UNFOLLOWED_RETRY_SECONDS = 30

/** An asset that both the operator and the pool list. */
export interface MarketAsset {
  readonly listing: AssetListing
  readonly facts: AssetFacts
  /**
   * The first hash input of the leaf of every note in this asset. Computing this input takes a sixth of an order's
   * hashing.
   */
  readonly hash: bigint
  /** The part of the asset's inventory that unpaid swaps reserve, in base units. */
  readonly reserved: bigint
  /** The parts of `reserved`, by account. Visitors' networks have their own entries, under the keys of `holderOf`. */
  readonly reservedBy: ReadonlyMap<string, bigint>
}

type Reserved = Pick<MarketAsset, 'reserved' | 'reservedBy'>

/** The key of a network of the account's visitors in `reservedBy`. An account's own key is its id. */
export const holderOf = (accountId: string, network: Uint8Array): string =>
  `${accountId} ${hexOf(network)}`

/** A snapshot of the chain and the database, with the data that quotes need. */
export interface Market {
  readonly pool: PoolFacts
  readonly assets: ReadonlyMap<string, MarketAsset>
  /** The deposits that, for an observer of the chain, may still be undelivered. */
  readonly observed: ObservedMarket
  /**
   * True while the pool's deposits are paused, while new orders are halted, or if the program would refuse the deposits
   * of this process's orders: the pool doesn't have the key that signs them, or it allows them too little time.
   */
  readonly isPaused: boolean
  /**
   * False if the last report of a worker says that the relayers' balances are low, or if no worker has reported for ten
   * minutes.
   */
  readonly isLiquid: boolean
  /** The number of additional orders that the relayers could pay for; undefined if no worker has reported a number. */
  readonly freeOrders: number | undefined
  readonly unpaid: readonly UnpaidOrders[]
  /** The work that waits for the provers. */
  readonly queue: Queue
  /** The chain's clock at a finalized slot. A deposit whose authorisation ended before this time can never land. */
  readonly finalSeconds: UnixSeconds
  /** The step of the priority fee that transactions offer. */
  readonly priceStep: PriceStep
  /** Why the service could miss new deposits; undefined while the workers keep up with the chain. */
  readonly followFault: FollowFault | undefined
  readonly takenAtMs: number
}

export interface MarketDependencies {
  readonly chain: Chain
  readonly store: MarketStore
  readonly clock: Clock
  readonly poseidon: Poseidon
  /** Seconds for which deposits and settlements are counted: the longest usual delay of a delivery. */
  readonly shownSeconds: number
  readonly usualDelay: UsualDelay
  /** The key that signs this process's orders. */
  readonly authoriser: Address
  /** Seconds from an order to its deadline, before rounding. */
  readonly orderSeconds: number
  /** The bounds of the priority fee that transactions offer. */
  readonly prices: PriceBounds
  /** The limits after which the chain counts as not followed. */
  readonly followLimits: FollowLimits
}

/** Caches the newest snapshot and refreshes it in the background, so that quotes and lists needn't wait. */
export class MarketView {
  readonly #d: MarketDependencies
  readonly #openedMs: number
  #market: Market | undefined
  #running: Promise<Market> | undefined
  #readings = 0
  /** Swaps that this process has stored since it started to take the snapshot in `#market`. */
  #made: readonly (Reservation & { readonly reading: number })[] = []

  constructor(dependencies: MarketDependencies) {
    this.#d = dependencies
    this.#openedMs = dependencies.clock.nowMs()
  }

  /** The newest snapshot, even if it is old; undefined before the first snapshot. */
  get latest(): Market | undefined {
    return this.#market
  }

  /** Returns a snapshot that is recent enough for quotes. @throws ServiceError UPSTREAM_UNAVAILABLE. */
  fresh(): MaybePromise<Market> {
    const age = this.#d.clock.nowMs() - (this.#market?.takenAtMs ?? -FRESH_MS)
    // If the clock was set back, the snapshot's age is unknown.
    if (this.#market !== undefined && age >= 0 && age < FRESH_MS) return this.#market
    return askUpstream(() => this.refresh())
  }

  /** Takes a new snapshot; concurrent requests share it. */
  refresh(): Promise<Market> {
    this.#running ??= this.#read().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /**
   * Subtracts the amount of a new swap from the available inventory, until the next snapshot. So quotes don't offer the
   * same inventory again. Other replicas see the swap in their next snapshot. Until then, other replicas may quote too
   * much, but the database refuses an order that exceeds the inventory.
   */
  reserve(made: Reservation): void {
    this.#made = [...this.#made, { ...made, reading: this.#readings }]
    const asset = this.#market?.assets.get(made.mint)
    if (this.#market === undefined || asset === undefined) return
    const changed = { ...asset, ...withReserved(asset, [made]) }
    this.#market = {
      ...this.#market,
      assets: new Map(this.#market.assets).set(made.mint, changed),
    }
  }

  async #read(): Promise<Market> {
    const { chain, store, clock, poseidon, shownSeconds } = this.#d
    const reading = (this.#readings += 1)
    const takenAtMs = clock.nowMs()
    const [pool, finalSeconds] = await Promise.all([chain.readPool(), chain.readClock()])
    if (pool === undefined) throw new Error('the program has no pool')
    const since = finalSeconds - BigInt(shownSeconds)
    const record = await store.readMarket(since, finalSeconds, takenAtMs - REPORTED_MS)
    const facts = await chain.readAssets(record.assets.map(({ mint }) => mint))
    // A swap that was stored during this snapshot may be counted twice until the next snapshot. The reserved sum may
    // therefore be too large for a moment, but never too small.
    this.#made = this.#made.filter((made) => made.reading >= reading)
    const reservations = [...record.reservations, ...this.#made]
    const assets = record.assets.flatMap((listing, index): [string, MarketAsset][] => {
      const known = facts[index]
      if (known === undefined) return []
      const held = withReserved(
        { reserved: 0n, reservedBy: new Map() },
        reservations.filter(({ mint }) => mint === listing.mint),
      )
      const hash = assetHashOf(poseidon, pool.domain, listing.mint)
      return [[listing.mint, { listing, facts: known, hash, ...held }]]
    })
    this.#market = {
      pool,
      assets: new Map(assets),
      observed: new ObservedMarket(record.shown, this.#d.usualDelay, wholeNumber(finalSeconds)),
      isPaused:
        pool.depositsPaused ||
        record.halted !== undefined ||
        !isAuthoriserOf(pool, this.#d.authoriser) ||
        !allowsOrdersOf(pool, this.#d.orderSeconds),
      isLiquid: isLiquid(record, this.#openedMs, takenAtMs),
      freeOrders: record.liquidity?.freeOrders,
      unpaid: record.unpaid,
      queue: record.queue,
      priceStep: boundStep(record.priceStep ?? this.#d.prices.floor, this.#d.prices),
      finalSeconds,
      followFault: followFaultOf(record, this.#d.followLimits, this.#openedMs, takenAtMs),
      takenAtMs,
    }
    return this.#market
  }
}

/** Adds reservations of one asset. */
function withReserved(before: Reserved, reservations: readonly Reservation[]): Reserved {
  let { reserved } = before
  const reservedBy = new Map(before.reservedBy)
  for (const { accountId, network, amount } of reservations) {
    reserved += amount
    const holders = network === undefined ? [accountId] : [accountId, holderOf(accountId, network)]
    for (const one of holders) reservedBy.set(one, (reservedBy.get(one) ?? 0n) + amount)
  }
  return { reserved, reservedBy }
}

/**
 * Whether the relayers can pay for more orders. If no worker has reported to the database yet, the result is true at
 * first, because a worker may be starting together with this process. If there is still no report after `WATCHED_MS`,
 * no worker is running, and no order would be delivered.
 */
function isLiquid({ liquidity }: MarketRecord, openedMs: number, nowMs: number): boolean {
  if (liquidity === undefined) return nowMs - openedMs < WATCHED_MS
  return liquidity.isLiquid && isRecent(liquidity.atMs, WATCHED_MS, nowMs)
}

/** True if the pool accepts deposits that this key has signed. */
export const isAuthoriserOf = (
  { authorisers }: Pick<PoolFacts, 'authorisers'>,
  key: Address,
): boolean => authorisers.includes(key)

/**
 * True if the pool accepts deposits of orders that have this many seconds until their deadline. Rounding up to the time
 * grid adds at most `TIME_GRID_SECONDS` to a deadline.
 */
export const allowsOrdersOf = (
  { maxDepositSeconds }: Pick<PoolFacts, 'maxDepositSeconds'>,
  orderSeconds: number,
): boolean => BigInt(orderSeconds) + TIME_GRID_SECONDS <= BigInt(maxDepositSeconds)

/**
 * Checks that new transfers may start.
 *
 * @throws ServiceError SERVICE_PAUSED, UPSTREAM_UNAVAILABLE, LIQUIDITY_UNAVAILABLE.
 */
export function assertOpen(market: Market, ...assets: readonly MarketAsset[]): void {
  if (market.isPaused || assets.some(({ facts }) => facts.depositsPaused)) {
    throw new ServiceError('SERVICE_PAUSED', { retryAfterSeconds: 60 })
  }
  // While no worker follows the chain, the deposit of a new order would wait unnoticed, possibly until its refund.
  if (market.followFault !== undefined) {
    const cause = new FollowError(market.followFault)
    throw new ServiceError('UPSTREAM_UNAVAILABLE', {
      ...{ cause, retryAfterSeconds: UNFOLLOWED_RETRY_SECONDS },
      issues: [{ param: 'chain', message: cause.message }],
    })
  }
  if (!market.isLiquid) throw new ServiceError('LIQUIDITY_UNAVAILABLE', { retryAfterSeconds: 60 })
}
