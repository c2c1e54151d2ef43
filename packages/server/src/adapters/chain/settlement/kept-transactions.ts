import type { TreeTransaction } from '../../../ports/settlement-chain.ts'

/**
 * More than the settlements and deposits of several days. Each takes about two kilobytes, so they stay far below a
 * worker's memory limit. Transactions that don't fit are fetched again by the next read.
 */
const KEPT_MAX = 100_000

/**
 * Transactions that were fetched for an incomplete read. If one request of thousands fails, the next round continues
 * and doesn't start again. The transactions are dropped once a root has confirmed or refuted them, so that a node's
 * wrong answers are requested again.
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

  /** The transaction, from memory or fetched now. */
  async fetchOnce(
    signature: string,
    fetch: () => Promise<TreeTransaction>,
  ): Promise<TreeTransaction> {
    const kept = this.#kept.get(signature)
    if (kept !== undefined) return kept
    const fetched = await fetch()
    // The oldest ones are kept, because a read starts with them.
    if (this.#kept.size < this.#max) this.#kept.set(signature, fetched)
    return fetched
  }

  forget(): void {
    this.#kept.clear()
  }
}
