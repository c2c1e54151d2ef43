import { heightOfSlot, lastBlockSlot, nextBlockSlot, slotOfHeight } from './block-schedule.ts'
import { BlockTimes } from './block-times.ts'
import type { ChainClock } from './chain-clock.ts'

export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** The numbers of blocks by which `confirmed` and `finalized` lag behind `processed`. */
export interface CommitmentLag {
  readonly confirmed: number
  readonly finalized: number
}

export interface BlockAdvance {
  readonly slot: number
  readonly parent: number
  readonly root: number
}

/** The chain's tip: the newest block, its time, and the slot of each commitment. */
export class Tip {
  readonly clock: ChainClock
  readonly times = new BlockTimes()
  readonly #lag: CommitmentLag
  #ticks: number
  #slot: number
  #unixTime: number

  constructor(start: { slot: number; clock: ChainClock; lag: CommitmentLag }) {
    this.clock = start.clock
    this.#lag = start.lag
    this.#slot = nextBlockSlot(start.slot)
    this.#ticks = this.#slot
    this.#unixTime = start.clock.next()
  }

  /** The slot of the newest block. */
  get slot(): number {
    return this.#slot
  }

  get unixTime(): number {
    return this.#unixTime
  }

  /** The slot of the newest block at a commitment, as reported by a node that lags by `lag` blocks. */
  slotAt(commitment: Commitment, lag = 0): number {
    const behind = lag + (commitment === 'processed' ? 0 : this.#lag[commitment])
    return slotOfHeight(heightOfSlot(this.#slot) - behind)
  }

  /** Records the time of the newest block. After a restart, the older times from the log must be recorded first. */
  recordTime(): void {
    this.times.record(this.#slot, this.#unixTime)
  }

  /** Advances by one slot. Returns null if that slot has no block. */
  tick(): BlockAdvance | null {
    this.#ticks += 1
    return this.#moveTo(lastBlockSlot(this.#ticks))
  }

  /** Advances by `slots` slots and `seconds` seconds immediately. */
  jump(slots: number, seconds: number): BlockAdvance | null {
    this.clock.advance(seconds)
    this.#ticks = nextBlockSlot(this.#ticks + slots)
    return this.#moveTo(this.#ticks)
  }

  #moveTo(slot: number): BlockAdvance | null {
    if (slot <= this.#slot) return null
    const parent = slotOfHeight(heightOfSlot(slot) - 1)
    this.#slot = slot
    this.#unixTime = this.clock.next()
    this.recordTime()
    return { slot, parent, root: this.slotAt('finalized') }
  }
}
