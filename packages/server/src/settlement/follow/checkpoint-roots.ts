import { CHECKPOINTS, emptySubtrees, HOUR_SECONDS, type Poseidon } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { ChainFollow, ChainPay } from '../../ports/settlement-chain.ts'
import { EarlierTree } from './earlier-tree.ts'
import type { ProvablePosition, VerifiedTree } from './verified-tree.ts'

/** Full hours before now whose last root may serve. */
const HOURS_MAX = 24
/** Leaves whose roots are compared: more than the flood of an hour, and some seconds of hashing. */
const SCAN_MAX = 60_000
/** Roots worked out without a pause. */
const PIECE = 64

interface CheckpointDependencies {
  readonly chain: Pick<ChainFollow, 'readTree'> & Pick<ChainPay, 'readClock'>
  readonly poseidon: Poseidon
  readonly tree: VerifiedTree
}

/** The tree's size after the last leaf of a full hour. */
interface Found {
  readonly hour: number
  readonly size: number
}

/**
 * Positions under the last root of a full hour. The chain keeps those for 64 days, so that a proof against one lands
 * however many leaves are appended meanwhile, but only older leaves are under it.
 */
export class CheckpointRoots {
  readonly #d: CheckpointDependencies
  readonly #empty: readonly bigint[]
  #found: Found | undefined

  constructor(d: CheckpointDependencies) {
    this.#d = d
    this.#empty = emptySubtrees(d.poseidon)
  }

  /** Undefined if the tree isn't verified, or the leaf is younger than every such root. */
  async locate(leafIndex: number): Promise<ProvablePosition | undefined> {
    if (!this.#d.tree.isVerified) return undefined
    const found = await this.#findNewest(leafIndex)
    if (found === undefined || leafIndex >= found.size) return undefined
    const earlier = this.#at(found.size)
    return {
      root: { kind: 'checkpoint', index: found.hour % CHECKPOINTS },
      position: { leafIndex: BigInt(leafIndex), path: earlier.path(leafIndex) },
    }
  }

  async #findNewest(leafIndex: number): Promise<Found | undefined> {
    const { chain, tree } = this.#d
    const thisHour = wholeNumber((await chain.readClock()) / HOUR_SECONDS)
    if (this.#found?.hour === thisHour - 1 && this.#found.size <= tree.size) return this.#found
    const { checkpoint } = await chain.readTree(0n)
    const hours = new Map<bigint, number>()
    for (let hour = thisHour - HOURS_MAX; hour < thisHour; hour += 1) {
      const root = checkpoint(hour)
      if (root !== 0n) hours.set(root, hour)
    }
    this.#found = await this.#scan(hours, leafIndex)
    return this.#found
  }

  /** The newest of these roots that one of our sizes has. */
  async #scan(hours: ReadonlyMap<bigint, number>, leafIndex: number): Promise<Found | undefined> {
    const newest = this.#d.tree.size
    const oldest = Math.max(leafIndex + 1, newest - SCAN_MAX)
    for (let size = newest; size >= oldest; size -= 1) {
      const hour = hours.get(this.#at(size).root)
      if (hour !== undefined) return { hour, size }
      if ((newest - size) % PIECE === PIECE - 1) await new Promise(setImmediate)
      if (!this.#d.tree.isVerified || this.#d.tree.size < size) return undefined
    }
    return undefined
  }

  #at(size: number): EarlierTree {
    return new EarlierTree(this.#d.poseidon, this.#d.tree, size, this.#empty)
  }
}
