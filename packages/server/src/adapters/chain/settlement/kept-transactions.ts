import type { TreeTransaction } from '../../../ports/settlement-chain.ts'

/**
 * Maximum number of kept transactions: more than the settlements and deposits of several days. A transaction takes
 * about two kilobytes, so all of them stay far below a worker's memory limit. The next read fetches again the
 * transactions that don't fit.
 */
const KEPT_MAX = 100_000

/**
 * Transactions that were fetched for an incomplete read. If one request of thousands fails, the next round continues
 * from here. Once a root has confirmed or refuted the transactions, they are dropped. So a node's wrong answers are
 * requested again.
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
    // The oldest transactions are kept, because a read starts with them.
    if (this.#kept.size < this.#max) this.#kept.set(signature, fetched)
    return fetched
  }

  forget(): void {
    this.#kept.clear()
  }
}
