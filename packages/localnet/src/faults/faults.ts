import type { Lateness } from '../chain/late-queue.ts'
import { SeededRandom, shareOf } from './seeded-random.ts'

/** What `localnet_setFaults` configures; every member is off at its default. */
export interface FaultConfig {
  /** Share of sent transactions that are accepted and then never executed. */
  readonly drop: number
  /** Share of sent transactions that are `processed` for some blocks and are then gone with their fork. */
  readonly dropWithFork: number
  /** Blocks that pass before a sent transaction is executed; its blockhash may expire before that. */
  readonly landAfterBlocks: number
  /** Transactions that wait for the same block run in an order that the seed decides. */
  readonly reorder: boolean
  /** Histories list a slot's transactions in an order that the seed decides, at each call the same. */
  readonly shuffleListings: boolean
  /** Transactions and blocks of earlier slots are unknown, as on a node that pruned its ledger. */
  readonly historyFrom: number
  /** Milliseconds that every answer waits. */
  readonly delayMs: number
  /** How many blocks reads lag behind. */
  readonly lagSlots: number
  /** Share of requests that fail. */
  readonly errorRate: number
  /** How they fail: HTTP 503, the RPC's "node is unhealthy" (-32005), or either by chance. */
  readonly errorKind: 'http503' | 'unhealthy' | 'mixed'
  /** Share of WebSocket notifications that are lost. */
  readonly dropNotifications: number
  /** Methods that delay, lag and errors apply to; null for all. */
  readonly methods: readonly string[] | null
  /** Seeds the draws: equal seeds and equal requests give equal faults. */
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

/** Decides, reproducibly, what goes wrong. The chain's own methods never fail. */
export class Faults {
  #config = NO_FAULTS
  #random = new SeededRandom(NO_FAULTS.seed)

  get config(): FaultConfig {
    return this.#config
  }

  /** Replaces the configuration and restarts the draws from its seed. */
  configure(config: FaultConfig): void {
    this.#config = config
    this.#random = new SeededRandom(config.seed)
  }

  /** What happens to a request. */
  draw(method: string): Fault {
    const { methods, delayMs, lagSlots, errorRate } = this.#config
    if (this.#config === NO_FAULTS || method.startsWith('localnet_')) return NO_FAULT
    if (methods !== null && !methods.includes(method)) return NO_FAULT
    const fails = errorRate > 0 && this.#random.next() < errorRate
    return { delayMs, lagBlocks: lagSlots, error: fails ? this.#errorKind() : null }
  }

  /** Whether a sent transaction is lost. */
  drawDrop(): boolean {
    return this.#config.drop > 0 && this.#random.next() < this.#config.drop
  }

  /** Whether a sent transaction gets into a fork that loses. */
  drawLostFork(): boolean {
    const { dropWithFork } = this.#config
    return dropWithFork > 0 && this.#random.next() < dropWithFork
  }

  /** When a sent transaction runs: `blocks` from now, among those of the same block by `rank`. */
  lateness(signature: string): Lateness {
    const { landAfterBlocks: blocks, reorder } = this.#config
    return { blocks, rank: reorder ? this.#rankOf(signature) : 0 }
  }

  /** How listings rank a slot's transactions; undefined if they keep the order of execution. */
  get listingRank(): ((signature: string) => number) | undefined {
    return this.#config.shuffleListings ? (signature) => this.#rankOf(signature) : undefined
  }

  /** Depends only on seed and signature, so that every call gives the same answer. */
  #rankOf(signature: string): number {
    return shareOf(`${this.#config.seed}:${signature}`)
  }

  /** The first slot whose transactions and blocks are kept. */
  get historyFrom(): number {
    return this.#config.historyFrom
  }

  /** Whether a notification is lost. */
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
