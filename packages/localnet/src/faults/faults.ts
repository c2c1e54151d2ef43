import type { Lateness } from '../chain/late-queue.ts'
import { SeededRandom, shareOf } from './seeded-random.ts'

/** The configuration of `localnet_setFaults`. Every fault is off by default. */
export interface FaultConfig {
  /** Share of sent transactions that the node accepts and never executes. */
  readonly drop: number
  /** Share of sent transactions that are `processed` for a few blocks and then disappear together with their fork. */
  readonly dropWithFork: number
  /**
   * Number of blocks after which a sent transaction is executed. The transaction's blockhash may expire during this
   * wait.
   */
  readonly landAfterBlocks: number
  /** If true, transactions that wait for the same block run in an order that follows from the seed. */
  readonly reorder: boolean
  /**
   * If true, histories list the transactions of a slot in an order that follows from the seed. The order is the same
   * for every call.
   */
  readonly shuffleListings: boolean
  /** Transactions and blocks before this slot are unknown, as on a node that pruned its ledger. */
  readonly historyFrom: number
  /** Milliseconds by which every answer is delayed. */
  readonly delayMs: number
  /** Number of blocks by which reads lag. */
  readonly lagSlots: number
  /** Share of requests that fail. */
  readonly errorRate: number
  /** The kind of failure: HTTP 503, the RPC's "node is unhealthy" (-32005), or one of the two at random. */
  readonly errorKind: 'http503' | 'unhealthy' | 'mixed'
  /** Share of WebSocket notifications that are lost. */
  readonly dropNotifications: number
  /** The methods to which delay, lag and errors apply; null for all methods. */
  readonly methods: readonly string[] | null
  /** The seed of the random numbers. The same seed and the same sequence of requests give the same faults. */
  readonly seed: number
}

export const NO_FAULTS: FaultConfig = {
  drop: 0,
  dropWithFork: 0,
  landAfterBlocks: 0,
  reorder: false,
  shuffleListings: false,
  historyFrom: 0,
  delayMs: 0,
  lagSlots: 0,
  errorRate: 0,
  errorKind: 'mixed',
  dropNotifications: 0,
  methods: null,
  seed: 1,
}

export interface Fault {
  readonly delayMs: number
  readonly lagBlocks: number
  readonly error: 'http503' | 'unhealthy' | null
}

const NO_FAULT: Fault = { delayMs: 0, lagBlocks: 0, error: null }

/** Chooses faults at random. The same seed gives the same faults. The `localnet_` methods get no faults. */
export class Faults {
  #config = NO_FAULTS
  #random = new SeededRandom(NO_FAULTS.seed)

  get config(): FaultConfig {
    return this.#config
  }

  /** Replaces the configuration, and restarts the random numbers from its seed. */
  configure(config: FaultConfig): void {
    this.#config = config
    this.#random = new SeededRandom(config.seed)
  }

  /** Chooses the fault for a request at random. */
  draw(method: string): Fault {
    const { methods, delayMs, lagSlots, errorRate } = this.#config
    if (this.#config === NO_FAULTS || method.startsWith('localnet_')) return NO_FAULT
    if (methods !== null && !methods.includes(method)) return NO_FAULT
    const fails = errorRate > 0 && this.#random.next() < errorRate
    return { delayMs, lagBlocks: lagSlots, error: fails ? this.#errorKind() : null }
  }

  /** Decides at random whether a sent transaction is lost. */
  drawDrop(): boolean {
    return this.#config.drop > 0 && this.#random.next() < this.#config.drop
  }

  /** Decides at random whether a sent transaction gets into a losing fork. */
  drawLostFork(): boolean {
    const { dropWithFork } = this.#config
    return dropWithFork > 0 && this.#random.next() < dropWithFork
  }

  /** When a sent transaction runs: after `blocks` blocks, ordered by `rank` within the block. */
  lateness(signature: string): Lateness {
    const { landAfterBlocks: blocks, reorder } = this.#config
    return { blocks, rank: reorder ? this.#rankOf(signature) : 0 }
  }

  /** The rank by which listings sort a slot's transactions; undefined if listings keep the order of execution. */
  get listingRank(): ((signature: string) => number) | undefined {
    return this.#config.shuffleListings ? (signature) => this.#rankOf(signature) : undefined
  }

  /** A rank that depends only on seed and signature, so that every call returns the same rank. */
  #rankOf(signature: string): number {
    return shareOf(`${this.#config.seed}:${signature}`)
  }

  /** The first slot whose transactions and blocks the node still has. */
  get historyFrom(): number {
    return this.#config.historyFrom
  }

  /** Decides at random whether a notification is lost. */
  drawLostNotification(): boolean {
    const { dropNotifications } = this.#config
    return dropNotifications > 0 && this.#random.next() < dropNotifications
  }

  #errorKind(): 'http503' | 'unhealthy' {
    const { errorKind } = this.#config
    if (errorKind !== 'mixed') return errorKind
    return this.#random.next() < 0.5 ? 'http503' : 'unhealthy'
  }
}
