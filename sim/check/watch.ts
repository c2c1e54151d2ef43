import type { SettlementChain } from '../../packages/server/src/ports/settlement-chain.ts'
import type { SettlementStore } from '../../packages/server/src/ports/settlement-store.ts'
import type { Landed } from '../chain/transaction.ts'
import type { Life } from '../run/life.ts'
import type { Evidence } from './evidence.ts'
import { checkBooks, type Conserved, conservedIn } from './check-books.ts'
import { checkLanded } from './check-landed.ts'
import { JournalWatch } from './journal-watch.ts'
import { StatusWatch } from './status-watch.ts'
import type { Fail, Violation } from './verdict.ts'

/**
 * Looks at every effect, with eyes that no process has: the chain's own books, the whole database, and
 * what is inside its seals. The first broken rule ends the run.
 */
export class Watch {
  readonly #evidence: Evidence
  readonly #statuses: StatusWatch
  readonly #journal: JournalWatch
  #conserved: Conserved | undefined
  violation: Violation | undefined

  constructor(evidence: Evidence) {
    this.#evidence = evidence
    this.#statuses = new StatusWatch(evidence)
    this.#journal = new JournalWatch(evidence)
  }

  /** Reports a broken rule. */
  readonly fail: Fail = (rule, detail) => {
    const { timeline, trace } = this.#evidence
    if (this.violation !== undefined) return
    this.violation = { atMs: timeline.nowMs, rule, detail }
    trace.add(timeline.nowMs, 'watch', `broken: ${rule} (${detail})`)
  }

  /** Takes down what there is in the beginning; from here on the chain is looked at. */
  begin(): void {
    this.#conserved = conservedIn(this.#evidence)
    this.#evidence.chain.onBlock = (landed) => this.#onBlock(landed)
  }

  /** The money in the run became more or less, from outside. */
  changeLamports(amount: bigint): void {
    if (this.#conserved !== undefined) this.#conserved.lamports += amount
  }

  #onBlock(landed: readonly Landed[]): void {
    if (landed.length === 0 || this.#conserved === undefined) return
    checkBooks(this.#evidence, this.#conserved, this.fail)
    checkLanded(this.#evidence, this.fail)
  }

  /** The same store, with a look at what each write did. */
  store(store: SettlementStore, life: Life): SettlementStore {
    const journal = this.#journal
    const looked = <Parameters extends unknown[], Result>(
      method: (...parameters: Parameters) => Promise<Result>,
      look?: (result: Result, ...parameters: Parameters) => void,
    ) => {
      return async (...parameters: Parameters): Promise<Result> => {
        const result = await method(...parameters)
        look?.(result, ...parameters)
        this.#statuses.look(this.fail)
        return result
      }
    }
    return {
      ...store,
      tryRecord: looked(store.tryRecord),
      tryClaim: looked(store.tryClaim, (lease) => journal.claimed(lease, this.fail)),
      tryJournal: (lease, attempt) => {
        journal.beforeJournal(lease.orderId, life)
        const write = looked(store.tryJournal, (isWritten) => {
          if (isWritten) journal.journalled(lease, attempt, life, this.fail)
        })
        return write(lease, attempt)
      },
      tryMarkDead: looked(store.tryMarkDead),
      tryBeginRefund: looked(store.tryBeginRefund, (isWritten, lease) => {
        if (isWritten) journal.written(lease, this.fail)
      }),
      tryReplacePlan: looked(store.tryReplacePlan, (isWritten, lease) => {
        if (isWritten) journal.written(lease, this.fail)
      }),
      tryComplete: looked(store.tryComplete),
      tryReseal: looked(store.tryReseal),
      clearEpoch: looked(store.clearEpoch),
      dropSettled: looked(store.dropSettled),
      halt: looked(store.halt, (_, reason) => this.fail('no halt without a cause', reason)),
    }
  }

  /** The same chain, with a look at what is signed and sent. */
  chain(chain: SettlementChain): SettlementChain {
    const journal = this.#journal
    return {
      ...chain,
      sign: async (intent) => {
        journal.proved(intent.settlement, this.fail)
        return chain.sign(intent)
      },
      broadcast: async (wire) => {
        journal.broadcast(wire, this.fail)
        return chain.broadcast(wire)
      },
    }
  }
}
