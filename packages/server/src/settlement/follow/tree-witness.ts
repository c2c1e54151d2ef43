import { least, unixSeconds, type Poseidon, type UnixSeconds } from '@sotto/protocol'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RootedHead } from '../../ports/settlement-chain.ts'
import { EarlierTree } from './earlier-tree.ts'
import type { VerifiedTree } from './verified-tree.ts'

/** Pause between two questions to all nodes. It delays expiries by as much. */
const EVERY_MS = 5_000

interface WitnessDependencies {
  readonly clock: Clock
  readonly poseidon: Poseidon
  readonly tree: Pick<VerifiedTree, 'leaf' | 'path' | 'root' | 'size'>
}

/**
 * The time up to which two nodes confirm our tree: each shows the root that our tree had after as many leaves. A node
 * that hides or replaces leaves and shows the true clock could otherwise make paid orders and landed payments expire.
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

  /** The time up to which two nodes confirm the tree as it is now. It counts once it is published. */
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

  /** Lets a compared time count, after the leaves that it was compared with are recorded. */
  publish(seconds: UnixSeconds): void {
    this.#confirmed = seconds
  }

  /** Forgets the confirmed time, because the tree that it was compared with was wrong. */
  forget(): void {
    this.#confirmed = unixSeconds(0n)
  }

  /** A time of the chain's clock, reduced to the time that two nodes confirm. */
  confirmed(clock: UnixSeconds): UnixSeconds {
    return least(clock, this.#confirmed)
  }

  /** Heads that show more leaves count later, once the tree has these leaves. */
  #agrees({ nextLeaf, root }: RootedHead): boolean {
    const { poseidon, tree } = this.#d
    if (nextLeaf > BigInt(tree.size)) return false
    const count = wholeNumber(nextLeaf)
    if (count === 0) return true
    return root === (count === tree.size ? tree.root : new EarlierTree(poseidon, tree, count).root)
  }
}
