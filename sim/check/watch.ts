import type { Secrets } from '../../packages/server/src/ports/secrets.ts'
import type { SettlementChain } from '../../packages/server/src/ports/settlement-chain.ts'
import type { Lease, SettlementStore } from '../../packages/server/src/ports/settlement-store.ts'
import type { Endpoint } from '../chain/endpoint.ts'
import type { Landed } from '../chain/transaction.ts'
import type { Life } from '../run/life.ts'
import type { Evidence } from './evidence.ts'
import { BalanceWatch } from './balance-watch.ts'
import { checkBooks, type Conserved, conservedIn } from './check-books.ts'
import { checkLanded } from './check-landed.ts'
import { CrowdWatch } from './crowd-watch.ts'
import { JournalWatch } from './journal-watch.ts'
import { StatusWatch } from './status-watch.ts'
import { UpkeepWatch } from './upkeep-watch.ts'
import type { Fail, Violation } from './verdict.ts'

/**
 * Maximum number of proofs for one note. Proofs for delivery and refund count, and so do proofs that a crash or a lost
 * lease wasted.
 */
const PROOFS_MAX = 24

/**
 * Checks every effect that a process has. The watch knows more than any process: the chain's own books, the whole
 * database, and the content of sealed columns. The first broken rule ends the run.
 */
export class Watch {
  readonly #evidence: Evidence
  readonly #statuses: StatusWatch
  readonly #balances: BalanceWatch
  readonly #journal: JournalWatch
  readonly #crowds: CrowdWatch
  readonly #upkeep: UpkeepWatch
  #conserved: Conserved | undefined
  readonly #proofs = new Map<bigint, number>()
  violation: Violation | undefined

  constructor(evidence: Evidence) {
    this.#evidence = evidence
    this.#upkeep = new UpkeepWatch(evidence)
    const onEnd = (key: string) => this.#upkeep.ended(key)
    this.#statuses = new StatusWatch(evidence, onEnd)
    this.#balances = new BalanceWatch(evidence, onEnd)
    this.#journal = new JournalWatch(evidence)
    this.#crowds = new CrowdWatch(evidence)
  }

  /** Reports a broken rule. */
  readonly fail: Fail = (rule, detail) => {
    const { timeline, trace } = this.#evidence
    if (this.violation !== undefined) return
    this.violation = { atMs: timeline.nowMs, rule, detail }
    trace.add(timeline.nowMs, 'watch', `broken: ${rule} (${detail})`)
  }

  /** Records the initial state. From now on, every block is checked. */
  begin(): void {
    this.#conserved = conservedIn(this.#evidence)
    this.#evidence.chain.onBlock = (landed) => this.#onBlock(landed)
  }

  /** Adjusts the expected total, because an intervention from outside added or removed lamports. */
  changeLamports(amount: bigint): void {
    if (this.#conserved !== undefined) this.#conserved.lamports += amount
  }

  #onBlock(landed: readonly Landed[]): void {
    if (landed.length === 0 || this.#conserved === undefined) return
    checkBooks(this.#evidence, this.#conserved, this.fail)
    checkLanded(this.#evidence, this.fail)
    this.#balances.checkLanded(this.fail)
  }

  /** Wraps a store so that writes to orders and attempts are checked. */
  store(store: SettlementStore, life: Life, endpoint: Endpoint): SettlementStore {
    const journal = this.#journal
    const upkeep = this.#upkeep
    const checked = <Parameters extends unknown[], Result>(
      method: (...parameters: Parameters) => Promise<Result>,
      check?: (result: Result, ...parameters: Parameters) => void,
    ) => {
      return async (...parameters: Parameters): Promise<Result> => {
        const result = await method(...parameters)
        check?.(result, ...parameters)
        this.#statuses.check(this.fail)
        this.#balances.checkWrite(this.fail)
        return result
      }
    }
    const written = (isWritten: boolean, lease: Lease) => {
      if (isWritten) journal.written(lease, this.fail)
    }
    return {
      ...store,
      tryRecord: checked(store.tryRecord, () => upkeep.leavesRecorded()),
      readLeaves: (from) => {
        upkeep.leavesRead(from, life, this.fail)
        return store.readLeaves(from)
      },
      recordLiquidity: (liquidity) => {
        upkeep.liquidityRecorded(liquidity.isLiquid, life, this.fail)
        return store.recordLiquidity(liquidity)
      },
      tryClaim: checked(store.tryClaim, (lease) => journal.claimed(lease, life, this.fail)),
      tryJournal: (lease, attempt) => {
        journal.beforeJournal(lease.orderId, life)
        const write = checked(store.tryJournal, (isWritten) => {
          if (!isWritten) return
          journal.journalled(lease, attempt, life, this.fail)
          const newest = journal.newestOf(lease.orderId)
          if (attempt.kind === 'deliver' && newest !== undefined)
            this.#crowds.delivered(lease.orderId, newest, this.fail)
        })
        return write(lease, attempt)
      },
      tryMarkDead: (order, number, plans) => {
        const attempt = journal.attemptOf(order.orderId, number)
        const write = checked(store.tryMarkDead, (isWritten) => {
          if (isWritten) journal.declaredDead(attempt, this.fail)
        })
        return write(order, number, plans)
      },
      tryBeginRefund: checked(store.tryBeginRefund, written),
      tryReplacePlan: checked(store.tryReplacePlan, written),
      tryComplete: (outcome, nowMs) => {
        const { orderId, attempt } = outcome
        const own = attempt && journal.attemptOf(orderId, attempt.number)
        const write = checked(store.tryComplete, (isWritten) => {
          if (isWritten && attempt?.hasLanded === false) journal.overtaken(own, this.fail)
        })
        return write(outcome, nowMs)
      },
      tryReseal: checked(store.tryReseal),
      clearEpoch: checked(store.clearEpoch),
      dropSettled: checked(store.dropSettled),
      forgetReplacedPlans: checked(store.forgetReplacedPlans),
      halt: checked(store.halt, (_, reason) => {
        // If the worker's own node hid leaves for minutes, the worker is right to halt new orders.
        if (reason === 'root_mismatch' && endpoint.mayHaveHiddenLeaves) return
        this.fail('every halt has a cause', reason)
      }),
    }
  }

  /** Wraps a chain port so that every signed and sent transaction is checked. */
  chain(chain: SettlementChain, life: Life): SettlementChain {
    const journal = this.#journal
    return {
      ...chain,
      readBalances: async (wallets) => {
        const answer = await chain.readBalances(wallets)
        this.#upkeep.balancesRead(life, answer.balances)
        return answer
      },
      readNullifiers: async (nullifiers, ...more) => {
        const answer = await chain.readNullifiers(nullifiers, ...more)
        journal.nullifiersRead(nullifiers, answer.slot, life)
        return answer
      },
      sign: async (intent) => {
        journal.proved(intent.settlement, life, this.fail)
        return chain.sign(intent)
      },
      broadcast: async (wire) => {
        journal.broadcast(wire, this.fail)
        return chain.broadcast(wire)
      },
    }
  }

  /**
   * Checks a settlement for which a worker requests a proof (invariant I9). Also checks that no note uses too many proofs.
   */
  proved({ nullifier, root }: { readonly nullifier: bigint; readonly root: bigint }): void {
    const { chain } = this.#evidence
    if (!chain.ledger.hasHadRoot(root, chain.blockAt('finalized').position))
      this.fail('I9: proofs name finalized roots', `${nullifier}`)
    const count = (this.#proofs.get(nullifier) ?? 0) + 1
    this.#proofs.set(nullifier, count)
    if (count > PROOFS_MAX) this.fail('no order uses too many proofs', `${count} of one note`)
  }

  /** Wraps a keystore so that every destruction of a key is checked. */
  secrets(secrets: Secrets): Secrets {
    return {
      ...secrets,
      destroy: async (epoch) => {
        this.#upkeep.destroyed(epoch, this.fail)
        return secrets.destroy(epoch)
      },
    }
  }
}
