import type { Faults } from '../faults/faults.ts'
import type { Timeline } from '../time/timeline.ts'
import type { FakeChain } from './fake-chain.ts'

/**
 * The possible durations of a node's fault, in milliseconds. The fault ends when an operator restarts the node. A fault
 * of infinite duration ends when all faults of the run end.
 */
const LASTING_MS: readonly number[] = [120_000, 600_000, Infinity]
/**
 * The possible durations of a fault in which the node doesn't answer. The longest duration is finite, because operators
 * always notice a node that doesn't answer.
 */
const DEAD_MS: readonly number[] = [120_000, 900_000]
/**
 * The possible errors of a node's reported heights, in blocks. One error is smaller than the life of a blockhash. The
 * other errors are larger.
 */
const HEIGHT_ERRORS: readonly number[] = [-400, -45, 20, 45, 400]
/**
 * Minimum time between two inconsistent reads of the books, and also between two answers with a false slot and time.
 */
const TORN_MS = 600_000
/**
 * New orders may stay halted for this time after a node stopped hiding leaves. Workers halt new orders if leaves are
 * missing for minutes.
 */
const REMEMBERED_MS = 900_000

/**
 * The node or provider that one process uses, with lasting faults. Another process's node may be healthy at the same
 * time.
 */
export class Endpoint {
  readonly name: string
  readonly chain: FakeChain
  readonly faults: Faults
  readonly #timeline: Timeline
  #stuckAt = 0
  #stuckUntilMs = 0
  #deadUntilMs = 0
  #heightError = 0
  #heightUntilMs = 0
  #forgetfulUntilMs = 0
  #wasForgetful = false
  #tornAtMs = -Infinity
  #aheadAtMs = -Infinity

  constructor(name: string, chain: FakeChain, faults: Faults, timeline: Timeline) {
    this.name = name
    this.chain = chain
    this.faults = faults
    this.#timeline = timeline
  }

  /** Draws whether one of the node's lasting faults begins. */
  disturb(): void {
    const { faults, name, chain } = this
    const until = (lengths: readonly number[]) => this.#nowMs + faults.random.pick(lengths)
    if (faults.fires('stuck_node', name) && !this.isStuck) {
      this.#stuckAt = chain.blockCount
      this.#stuckUntilMs = until(LASTING_MS)
    }
    if (faults.fires('dead_node', name)) this.#deadUntilMs = until(DEAD_MS)
    if (faults.fires('wrong_heights', name)) {
      this.#heightError = faults.random.pick(HEIGHT_ERRORS)
      this.#heightUntilMs = until(LASTING_MS)
    }
    if (faults.fires('forgetful_node', name)) {
      this.#forgetfulUntilMs = until(LASTING_MS)
      this.#wasForgetful = true
    }
  }

  heal(): void {
    this.#stuckUntilMs = 0
    this.#deadUntilMs = 0
    this.#heightUntilMs = 0
    // An active fault ends now, so that `mayHaveHiddenLeaves` stays true for another `REMEMBERED_MS`.
    this.#forgetfulUntilMs = Math.min(this.#forgetfulUntilMs, this.#nowMs)
  }

  get isDead(): boolean {
    return this.#nowMs < this.#deadUntilMs
  }

  get isStuck(): boolean {
    return this.#nowMs < this.#stuckUntilMs
  }

  /** Number of blocks that the node has missed since it got stuck. */
  get lag(): number {
    return this.isStuck ? this.chain.blockCount - this.#stuckAt : 0
  }

  get heightError(): number {
    return this.#nowMs < this.#heightUntilMs ? this.#heightError : 0
  }

  /**
   * True if the node has lost this transaction. A forgetful node loses a third of all transactions, and always the same
   * third.
   */
  hasLost(signature: string): boolean {
    return this.#nowMs < this.#forgetfulUntilMs && sumOf(signature) % 3 === 0
  }

  /** True if orders may be halted because this node hid leaves. */
  get mayHaveHiddenLeaves(): boolean {
    return this.#wasForgetful && this.#nowMs < this.#forgetfulUntilMs + REMEMBERED_MS
  }

  /** Draws whether the node's current answer about the books consists of parts of two blocks. */
  tearsBooks(): boolean {
    if (!this.faults.fires('torn_books', this.name)) return false
    if (this.#nowMs < this.#tornAtMs + TORN_MS) return false
    this.#tornAtMs = this.#nowMs
    return true
  }

  /** Draws whether the node's current answer reports a slot and a time that are far ahead. */
  liesAboutHead(): boolean {
    if (this.#nowMs < this.#aheadAtMs + TORN_MS) return false
    if (!this.faults.fires('future_head', this.name)) return false
    this.#aheadAtMs = this.#nowMs
    return true
  }

  get #nowMs(): number {
    return this.#timeline.nowMs
  }
}

function sumOf(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index)
  return sum
}
