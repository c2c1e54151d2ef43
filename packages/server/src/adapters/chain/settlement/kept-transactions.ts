import type { TreeTransaction } from '../../../ports/settlement-chain.ts'

/**
 * More than the settlements and deposits of several days. Each takes about two kilobytes, so together they stay far
 * below a worker's memory limit. The next read fetches those that don't fit again.
 */
const KEPT_MAX = 100_000

/**
 * Transactions that were fetched for an incomplete read: if one request of thousands fails, the next round continues
 * instead of starting again. They are dropped once a root has confirmed or refuted them, so that a node's wrong
 * answers are requested again.
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
    // The oldest stay, because a read starts with them.
    if (this.#kept.size < this.#max) this.#kept.set(signature, fetched)
    return fetched
  }

  forget(): void {
    this.#kept.clear()
  }
}
