import type { TreeTransaction } from '../../../ports/settlement-chain.ts'

/**
 * More than deposits land in days. One takes some two kilobytes, so that all stay far below what a worker
 * may use; what doesn't fit is asked for again in each round.
 */
const KEPT_MAX = 50_000

/**
 * Transactions that were fetched for a reading which hasn't come to its end: where one request of
 * thousands fails, the next round goes on instead of beginning anew. A reading that is complete is
 * forgotten, so that what a node told wrongly is asked again once the root refutes it.
 */
export class KeptTransactions {
  readonly #kept = new Map<string, TreeTransaction>()
  readonly #max: number

  constructor(max = KEPT_MAX) {
    this.#max = max
  }

  get size(): number {
    return this.#kept.size
  }

  /** The transaction as it was fetched before, or as it is fetched now. */
  async fetchOnce(
    signature: string,
    fetch: () => Promise<TreeTransaction>,
  ): Promise<TreeTransaction> {
    const kept = this.#kept.get(signature)
    if (kept !== undefined) return kept
    const fetched = await fetch()
    // The oldest stay: a reading begins with them.
    if (this.#kept.size < this.#max) this.#kept.set(signature, fetched)
    return fetched
  }

  /** Everything was read. */
  forget(): void {
    this.#kept.clear()
  }
}
