import type { TreeTransaction } from '../../../ports/settlement-chain.ts'

/**
 * Maximum number of kept transactions: more than the settlements and deposits of several days. A transaction takes
 * about two kilobytes, so all of them take far less than a worker's memory limit. At this limit, later transactions
 * aren't kept, and the next read fetches them again.
 */
const KEPT_MAX = 100_000

/**
 * Keeps the transactions that an incomplete read has fetched. If one of thousands of requests fails, the next round
 * continues with these transactions. The caller drops them after it has compared them with a root of the chain. So if a
 * node's answer was wrong, the next read requests it again.
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
    // A read starts with the oldest transactions, so the oldest transactions are kept.
    if (this.#kept.size < this.#max) this.#kept.set(signature, fetched)
    return fetched
  }

  forget(): void {
    this.#kept.clear()
  }
}
