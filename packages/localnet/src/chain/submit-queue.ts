import type { Chain } from './chain.ts'
import type { DecodedTransaction } from './decoded-transaction.ts'
import type { Execution } from './execute-transaction.ts'

interface Waiting {
  readonly decoded: DecodedTransaction
  readonly resolve: (execution: Execution) => void
  readonly reject: (reason: unknown) => void
}

/** Collects the transactions that arrive in one turn of the event loop, and executes them with a single disk sync. */
export class SubmitQueue {
  readonly #chain: Chain
  #waiting: Waiting[] = []

  constructor(chain: Chain) {
    this.#chain = chain
  }

  /** Resolves after the transaction has been executed and is durable, or after it has been dropped. */
  submit(decoded: DecodedTransaction): Promise<Execution> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ decoded, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => this.#flush())
    })
  }

  #flush(): void {
    const batch = this.#waiting
    this.#waiting = []
    try {
      const results = this.#chain.execute(batch.map((each) => each.decoded))
      batch.forEach((each, index) => {
        const execution = results[index]
        if (execution !== undefined) each.resolve(execution)
      })
    } catch (error) {
      for (const each of batch) each.reject(error)
    }
  }
}
