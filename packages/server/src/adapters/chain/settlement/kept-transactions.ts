import type { TreeTransaction } from '../../../ports/settlement-chain.ts'

/**
 * Maximum number of kept transactions: more than the settlements and deposits of several days. A transaction takes
 * about two kilobytes, so all of them stay far below a worker's memory limit. Transactions beyond this number aren't
 * kept, and the next read fetches them again.
 */
const KEPT_MAX = 100_000

/**
 * Keeps the transactions that an incomplete read has fetched. If one request of thousands fails, the next round
 * continues with these transactions. The caller drops them as soon as a root of the chain has confirmed or refuted
 * them, so the next read requests a node's wrong answers again.
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

  /** Returns the transaction from memory, or fetches it. */
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
