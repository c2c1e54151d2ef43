import { least, unixSeconds, type Poseidon, type UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RootedHead } from '../../ports/settlement-chain.ts'
import { EarlierTree } from './earlier-tree.ts'
import type { VerifiedTree } from './verified-tree.ts'

/** Minimum pause between two requests to all nodes. Expiries may be delayed by up to this time. */
const EVERY_MS = 5_000

interface WitnessDependencies {
  readonly clock: Clock
  readonly poseidon: Poseidon
  readonly tree: Pick<VerifiedTree, 'leaf' | 'path' | 'root' | 'size'>
}

/**
 * Finds the time up to which two nodes confirm our tree. A node confirms the tree by showing the root that our tree had
 * with the same number of leaves. Without this check, a single node could show the true clock but hide or replace
 * leaves. Then paid orders and landed payments could expire.
 */
export class TreeWitness {
  readonly #readHeads: () => Promise<readonly RootedHead[]>
  readonly #d: WitnessDependencies
  #heads: readonly RootedHead[] = []
  #askedAtMs = -Infinity
  #confirmed = unixSeconds(0n)

  constructor(readHeads: () => Promise<readonly RootedHead[]>, d: WitnessDependencies) {
    this.#readHeads = readHeads
    this.#d = d
  }

  /**
   * Returns the time up to which two nodes confirm the current tree. `confirmed` uses this time only after `publish`.
   */
  async compare(): Promise<UnixSeconds> {
    const nowMs = this.#d.clock.nowMs()
    if (Math.abs(nowMs - this.#askedAtMs) >= EVERY_MS) {
      this.#askedAtMs = nowMs
      this.#heads = await this.#readHeads()
    }
    const [, second] = this.#heads
      .filter((head) => this.#agrees(head))
      .map((head) => head.unixSeconds)
      .sort((one, other) => (one < other ? 1 : -1))
    return second !== undefined && second > this.#confirmed ? second : this.#confirmed
  }

  /** Makes `confirmed` use a time from `compare`. Must be called after the leaves of the compared tree are recorded. */
  publish(seconds: UnixSeconds): void {
    this.#confirmed = seconds
  }

  /** Drops the confirmed time. Must be called if the compared tree has turned out to be wrong. */
  forget(): void {
    this.#confirmed = unixSeconds(0n)
  }

  /** The time up to which two nodes confirm the tree; 0 if there is no such time. */
  get confirmedTime(): UnixSeconds {
    return this.#confirmed
  }

  /** Returns the given time of the chain's clock, or the time that two nodes confirm, whichever is earlier. */
  confirmed(clock: UnixSeconds): UnixSeconds {
    return least(clock, this.#confirmed)
  }

  /**
   * True if the head's root is a root of our tree. A head with more leaves than our tree doesn't agree yet. It is
   * compared again when the tree has these leaves.
   */
  #agrees({ nextLeaf, root }: RootedHead): boolean {
    const { poseidon, tree } = this.#d
    if (nextLeaf > BigInt(tree.size)) return false
    const count = wholeNumber(nextLeaf)
    if (count === 0) return true
    return root === (count === tree.size ? tree.root : new EarlierTree(poseidon, tree, count).root)
  }
}
