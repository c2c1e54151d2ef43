import { least, unixSeconds, type UnixSeconds } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'

/** Pause between two questions to all nodes. It delays expiries by as much. */
const EVERY_MS = 5_000

/**
 * The time up to which two nodes confirm that the tree has no leaf that we lack. A node that hides leaves and shows the
 * true clock could otherwise make paid orders and landed payments expire.
 */
export class TreeWitness {
  readonly #readHeads: () => Promise<readonly FinalizedHead[]>
  readonly #clock: Clock
  #heads: readonly FinalizedHead[] = []
  #askedAtMs = -Infinity
  #seconds = unixSeconds(0n)

  constructor(readHeads: () => Promise<readonly FinalizedHead[]>, clock: Clock) {
    this.#readHeads = readHeads
    this.#clock = clock
  }

  /** Compares the nodes' heads with the number of leaves of the tree, which the chain's root has just confirmed. */
  async compare(leaves: number): Promise<void> {
    const nowMs = this.#clock.nowMs()
    if (Math.abs(nowMs - this.#askedAtMs) >= EVERY_MS) {
      this.#askedAtMs = nowMs
      this.#heads = await this.#readHeads()
    }
    // Heads that show more leaves count later, once the tree has these leaves.
    const agreeing = this.#heads.filter(({ nextLeaf }) => nextLeaf <= BigInt(leaves))
    const [, second] = agreeing
      .map(({ unixSeconds }) => unixSeconds)
      .sort((one, other) => (one < other ? 1 : -1))
    if (second !== undefined && second > this.#seconds) this.#seconds = second
  }

  /** A time of the chain's clock, reduced to the time that two nodes confirm. */
  confirmed(clock: UnixSeconds): UnixSeconds {
    return least(clock, this.#seconds)
  }
}
