import type { Faults } from '../faults/faults.ts'
import type { Timeline } from '../time/timeline.ts'
import type { FakeChain } from './fake-chain.ts'

/** How long what is wrong with a node stays so: until somebody restarts it, or until the faults end. */
const LASTING_MS: readonly number[] = [120_000, 600_000, Infinity]
/** A node that answers nothing is noticed sooner. */
const DEAD_MS: readonly number[] = [120_000, 900_000]
/** Blocks that a node's heights may be wrong by for long: about a blockhash's life, or far more. */
const HEIGHT_ERRORS: readonly number[] = [-400, -45, 20, 45, 400]
/** Two looks at the books that follow each other must not both be torn. */
const TORN_MS = 600_000
/** Workers halt new orders for leaves that stay away for minutes, and may go on for some. */
const REMEMBERED_MS = 900_000

/**
 * The node, or the provider, that a process asks, with what is wrong with it for long. Others' may be well
 * meanwhile.
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

  constructor(name: string, chain: FakeChain, faults: Faults, timeline: Timeline) {
    this.name = name
    this.chain = chain
    this.faults = faults
    this.#timeline = timeline
  }

  /** What befalls it at times. */
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
    // What ends now is remembered for as long as anything else that ends.
    this.#forgetfulUntilMs = Math.min(this.#forgetfulUntilMs, this.#nowMs)
  }

  get isDead(): boolean {
    return this.#nowMs < this.#deadUntilMs
  }

  get isStuck(): boolean {
    return this.#nowMs < this.#stuckUntilMs
  }

  /** Blocks that it has not taken in since it got stuck. */
  get lag(): number {
    return this.isStuck ? this.chain.blockCount - this.#stuckAt : 0
  }

  get heightError(): number {
    return this.#nowMs < this.#heightUntilMs ? this.#heightError : 0
  }

  /** True where it has lost this transaction: one in three, and always the same ones. */
  hasLost(signature: string): boolean {
    return this.#nowMs < this.#forgetfulUntilMs && sumOf(signature) % 3 === 0
  }

  /** True where leaves that it didn't show may be what orders are halted for. */
  get mayHaveHiddenLeaves(): boolean {
    return this.#wasForgetful && this.#nowMs < this.#forgetfulUntilMs + REMEMBERED_MS
  }

  /** True where it answers just this request for the books with parts of two blocks. */
  tearsBooks(): boolean {
    if (!this.faults.fires('torn_books', this.name)) return false
    if (this.#nowMs < this.#tornAtMs + TORN_MS) return false
    this.#tornAtMs = this.#nowMs
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
