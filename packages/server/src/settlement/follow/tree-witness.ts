import { least, unixSeconds, type Poseidon, type UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RootedHead } from '../../ports/settlement-chain.ts'
import { EarlierTree } from './earlier-tree.ts'
import type { VerifiedTree } from './verified-tree.ts'

/** Pause between two requests to all nodes. Expiries are delayed by up to this time. */
const EVERY_MS = 5_000

interface WitnessDependencies {
  readonly clock: Clock
  readonly poseidon: Poseidon
  readonly tree: Pick<VerifiedTree, 'leaf' | 'path' | 'root' | 'size'>
}

/**
 * The time up to which two nodes confirm our tree. A node confirms it by showing the root that our tree had with the
 * same number of leaves. Otherwise, a single node that shows the true clock but hides or replaces leaves could make
 * paid orders and landed payments expire.
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

  /** The time up to which two nodes confirm the present tree. `confirmed` uses it only after `publish`. */
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

  /** Allows the use of a compared time, once the leaves that it was compared with are recorded. */
  publish(seconds: UnixSeconds): void {
    this.#confirmed = seconds
  }

  /** Forgets the confirmed time, because the tree that it was compared with was wrong. */
  forget(): void {
    this.#confirmed = unixSeconds(0n)
  }

  /** A time of the chain's clock, but at most the time that two nodes confirm. */
  confirmed(clock: UnixSeconds): UnixSeconds {
    return least(clock, this.#confirmed)
  }

  /**
   * True if the head's root is that of our tree. A head with more leaves than our tree is compared later, once the tree
   * has them.
   */
  #agrees({ nextLeaf, root }: RootedHead): boolean {
    const { poseidon, tree } = this.#d
    if (nextLeaf > BigInt(tree.size)) return false
    const count = wholeNumber(nextLeaf)
    if (count === 0) return true
    return root === (count === tree.size ? tree.root : new EarlierTree(poseidon, tree, count).root)
  }
}
