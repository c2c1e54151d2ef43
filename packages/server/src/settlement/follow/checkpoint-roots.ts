import { CHECKPOINTS, emptySubtrees, HOUR_SECONDS, type Poseidon } from '@sotto/protocol'
import { witnessedClock } from '../../domain/followed-slot.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import { EarlierTree } from './earlier-tree.ts'
import type { ProvablePosition, VerifiedTree } from './verified-tree.ts'

/** Full hours before now whose last root may serve. */
const HOURS_MAX = 24
/** Leaves whose roots are compared: more than the flood of an hour, and some seconds of hashing. */
const SCAN_MAX = 60_000
/** Roots worked out without a pause. */
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

/** The tree's size after the last leaf of a full hour. */
interface Found {
  readonly hour: number
  readonly size: number
  readonly root: bigint
}

/** What is known of the hours before one: which sizes of the tree were compared with their last roots. */
interface Scan {
  readonly thisHour: number
  /** Hours that are over, by their last roots. */
  readonly hours: ReadonlyMap<bigint, number>
  /** The smallest and the greatest size compared; nothing is `found` at the others between them. */
  oldest: number
  newest: number
  newestRoot: bigint
  found: Found | undefined
}

/**
 * Positions under the last root of a full hour. The chain keeps those for 64 days, so that a proof against one lands
 * however many leaves are appended meanwhile, but only older leaves are under it. The cursor's clock decides which
 * hours are over, and the tree is read at the cursor's slot or later: then no leaf of those hours is still to come.
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

  /** Undefined if the tree isn't verified, or the leaf is younger than every such root. */
  async locate(leafIndex: number): Promise<ProvablePosition | undefined> {
    // One at a time: the next one finds what this one compared.
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

  /** Drops what was found: the program refused a proof against it. The roots are read from the chain again. */
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

  /** True if the tree was read again and has other leaves since. */
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

  /** Compares the sizes from `least` on that weren't yet: an hour's sizes are compared once, also if none is found. */
  async #compare(scan: Scan, least: number): Promise<'done' | 'cut'> {
    const newest = this.#d.tree.size
    const oldest = Math.min(newest, Math.max(least, newest - SCAN_MAX))
    if (newest > scan.newest) {
      const from = Math.max(oldest, scan.newest + 1)
      const found = await this.#newestIn(scan.hours, from, newest)
      if (found === 'cut') return 'cut'
      // What lies between the old sizes and these is too old by now to be compared.
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

  /** The newest of these roots that one of the sizes has; `cut` if the tree lost leaves meanwhile. */
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
