import { CHECKPOINTS, emptySubtrees, HOUR_SECONDS, type Poseidon } from '@sotto/protocol'
import { witnessedClock } from '../../domain/followed-slot.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import { EarlierTree } from './earlier-tree.ts'
import type { ProvablePosition, VerifiedTree } from './verified-tree.ts'

/** The last roots of at most this many full hours before the current hour are used. */
const HOURS_MAX = 24
/**
 * Maximum number of tree sizes whose roots are compared in one search. Even a flood appends fewer leaves in an hour.
 * Hashing this many roots takes a few seconds.
 */
const SCAN_MAX = 60_000
/** Number of roots that are computed without a pause for other work. */
const PIECE = 64

interface CheckpointDependencies {
  readonly chain: Pick<ChainFollow, 'readTree'>
  readonly store: Pick<FollowStore, 'readCursor'>
  readonly poseidon: Poseidon
  readonly tree: VerifiedTree
  readonly clock: Clock
  /** See `SettlementSettings`. */
  readonly clockMarginSeconds?: bigint | undefined
}

/** A full hour, the number of leaves at the end of the hour, and the root after the last of these leaves. */
interface Found {
  readonly hour: number
  readonly size: number
  readonly root: bigint
}

/**
 * The state of a search for an earlier size of the tree. At that size, the tree had the last root of an hour before
 * `thisHour`.
 */
interface Scan {
  readonly thisHour: number
  /** The full hours, keyed by their last roots. */
  readonly hours: ReadonlyMap<bigint, number>
  /**
   * The smallest and the greatest size that the search has covered. `found` is the greatest of these sizes at which the
   * tree had one of the hours' roots.
   */
  oldest: number
  newest: number
  newestRoot: bigint
  found: Found | undefined
}

/**
 * Finds the positions of notes under the last root of a full hour. The chain keeps these roots for 64 days. So a proof
 * against one of them can land even if many leaves are appended before it lands. Such a root covers only leaves from
 * before the end of its hour. The cursor's clock decides which hours are over. The tree account is read at the cursor's
 * slot or later, so it has every leaf of those hours.
 */
export class CheckpointRoots {
  readonly #d: CheckpointDependencies
  readonly #empty: readonly bigint[]
  #scan: Scan | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(d: CheckpointDependencies) {
    this.#d = d
    this.#empty = emptySubtrees(d.poseidon)
  }

  /**
   * Returns the position of a leaf under the last root of a full hour. Returns undefined if the tree isn't verified, or
   * if the leaf is newer than all of these roots.
   */
  async locate(leafIndex: number): Promise<ProvablePosition | undefined> {
    // Searches run one after the other. So each search can use the comparisons of earlier searches.
    const finding = this.#last.then(() => this.#find(leafIndex))
    this.#last = finding.catch(() => undefined)
    const found = await finding
    const { tree } = this.#d
    if (found === undefined || leafIndex >= found.size) return undefined
    if (!tree.isVerified || tree.size < found.size) return undefined
    const earlier = this.#at(found.size)
    if (earlier.root !== found.root) return undefined
    return {
      root: { kind: 'checkpoint', index: found.hour % CHECKPOINTS },
      position: { leafIndex: BigInt(leafIndex), path: earlier.path(leafIndex) },
    }
  }

  /**
   * Drops the search results. Must be called if the program refused a proof against one of these roots. The next search
   * reads the roots from the chain again.
   */
  forget(): void {
    this.#scan = undefined
  }

  async #find(leafIndex: number): Promise<Found | undefined> {
    const { store, tree, clock, clockMarginSeconds } = this.#d
    if (!tree.isVerified || tree.size === 0) return undefined
    const cursor = await store.readCursor()
    const seconds = witnessedClock(cursor.unixSeconds, clock.nowMs(), clockMarginSeconds)
    const thisHour = wholeNumber(seconds / HOUR_SECONDS)
    if (this.#scan?.thisHour !== thisHour || this.#isStale(this.#scan)) {
      this.#scan = { thisHour, hours: await this.#readHours(thisHour, cursor.slot), ...this.#none }
    }
    const scan = this.#scan
    if (scan.found?.hour !== thisHour - 1 && (await this.#compare(scan, leafIndex + 1)) === 'cut') {
      return undefined
    }
    return scan.found
  }

  /** True if the tree's leaves were replaced after the scan. */
  #isStale({ newest, newestRoot }: Scan): boolean {
    const { tree } = this.#d
    return newest > 0 && newest <= tree.size && this.#at(newest).root !== newestRoot
  }

  get #none() {
    return { oldest: 0, newest: 0, newestRoot: 0n, found: undefined }
  }

  async #readHours(thisHour: number, slotMin: bigint): Promise<Map<bigint, number>> {
    const { checkpoint } = await this.#d.chain.readTree(slotMin)
    const hours = new Map<bigint, number>()
    for (let hour = thisHour - HOURS_MAX; hour < thisHour; hour += 1) {
      const root = checkpoint(hour)
      if (root !== 0n) hours.set(root, hour)
    }
    return hours
  }

  /**
   * Searches those sizes of at least `least` that haven't been searched yet. Only the newest `SCAN_MAX` sizes are
   * searched. Each size is compared at most once, even if no size matches. Returns `cut` if the tree lost leaves during
   * the search.
   */
  async #compare(scan: Scan, least: number): Promise<'done' | 'cut'> {
    const newest = this.#d.tree.size
    const oldest = Math.min(newest, Math.max(least, newest - SCAN_MAX))
    if (newest > scan.newest) {
      const from = Math.max(oldest, scan.newest + 1)
      const found = await this.#newestIn(scan.hours, from, newest)
      if (found === 'cut') return 'cut'
      // The sizes between the old range and the new range are too old to be useful. They are never compared.
      if (from > scan.newest + 1 || scan.newest === 0) scan.oldest = from
      scan.newest = newest
      scan.newestRoot = this.#at(newest).root
      scan.found = found ?? scan.found
    }
    if (scan.found !== undefined || oldest >= scan.oldest) return 'done'
    const found = await this.#newestIn(scan.hours, oldest, scan.oldest - 1)
    if (found === 'cut') return 'cut'
    scan.oldest = oldest
    scan.found = found
    return 'done'
  }

  /**
   * Searches the sizes from `newest` down to `oldest` for a size at which the tree had one of the given roots. Returns
   * `cut` if the tree lost leaves during the search.
   */
  async #newestIn(
    hours: ReadonlyMap<bigint, number>,
    oldest: number,
    newest: number,
  ): Promise<Found | 'cut' | undefined> {
    for (let size = newest; size >= oldest; size -= 1) {
      if (!this.#d.tree.isVerified || this.#d.tree.size < size) return 'cut'
      const { root } = this.#at(size)
      const hour = hours.get(root)
      if (hour !== undefined) return { hour, size, root }
      if ((newest - size) % PIECE === PIECE - 1) await new Promise(setImmediate)
    }
    return undefined
  }

  #at(size: number): EarlierTree {
    return new EarlierTree(this.#d.poseidon, this.#d.tree, size, this.#empty)
  }
}
