import type { UnixSeconds } from '@sotto/protocol'
import type { Faults } from '../faults/faults.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'
import type { Trace } from '../time/trace.ts'
import { ChainClock } from './chain-clock.ts'
import type { Congestion } from './congestion.ts'
import { execute, failureNow } from './execute.ts'
import { Ledger } from './ledger.ts'
import { Mempool } from './mempool.ts'
import { ReportedHeights } from './reported-heights.ts'
import type { Landed, Transaction } from './transaction.ts'

/** A block; its state includes every transaction up to its position. */
export interface Block {
  readonly slot: number
  readonly height: number
  readonly unixSeconds: UnixSeconds
  position: number
}

/** A block is confirmed or final if it is at least this many blocks older than the newest block. */
const CONFIRMED = 2
const FINAL = 8
/** The maximum length of a fork, in blocks. A fork never replaces a final block. */
const FORK_MAX = FINAL - 1
/** The time between blocks: 2 seconds. So a blockhash is valid for a minute, as on a real cluster. */
export const BLOCK_MS = 2_000
export const BLOCKHASH_BLOCKS = 30
const HALT_MS = 240_000

export type Commitment = 'confirmed' | 'finalized'

interface ChainSetting {
  readonly timeline: Timeline
  readonly random: SeededRandom
  readonly faults: Faults
  readonly trace: Trace
  readonly congestion: Congestion
}

/** A cluster with the program: blocks, forks, its own clock, and every account. */
export class FakeChain {
  readonly ledger = new Ledger()
  readonly reportedHeights = new ReportedHeights()
  readonly mempool: Mempool
  readonly clock: ChainClock
  /** Called after each block with the transactions that landed in it. */
  onBlock: (landed: readonly Landed[]) => void = () => undefined
  readonly #d: ChainSetting
  readonly #blocks: Block[] = []
  #position = 0
  /** The height of the newest block at the last intervention. A fork replaces only later blocks. */
  #pinned = 0
  #haltedUntilMs = 0
  #blockMs = BLOCK_MS
  /** The number of the current block schedule. A block that was planned under an earlier schedule isn't made. */
  #pace = 0

  constructor(d: ChainSetting) {
    this.#d = d
    this.mempool = new Mempool(d)
    this.clock = new ChainClock(d)
    for (let block = 0; block <= FINAL; block += 1) this.#open()
  }

  /** Starts making blocks. */
  start(): void {
    this.#tick()
  }

  /**
   * Changes the time between blocks: longer for quiet weeks, or the usual time again. The number of slots per second
   * stays the same.
   */
  stretchBlocks(blockMs: number): void {
    this.#blockMs = blockMs
    this.#pace += 1
    this.#tick()
  }

  /** The number of blocks made so far. */
  get blockCount(): number {
    return this.#blocks.length
  }

  get newest(): Block {
    return this.#blocks.at(-1) as Block
  }

  /** The newest confirmed or finalized block, as a node that lags by `lag` blocks sees it. */
  blockAt(commitment: Commitment, lag = 0): Block {
    const depth = (commitment === 'finalized' ? FINAL : CONFIRMED) + lag
    return this.#blocks[Math.max(0, this.#blocks.length - 1 - depth)] as Block
  }

  /** The chain's clock in the block of this height, or in the newest block if there is no such block yet. */
  timeAt(height: number): UnixSeconds {
    return (this.#blocks[Math.max(0, height - 1)] ?? this.newest).unixSeconds
  }

  /** Sets up the state before the first block. */
  genesis(change: (ledger: Ledger, position: number) => void): void {
    this.intervene(change)
    for (const block of this.#blocks) block.position = this.#position
  }

  /** Makes a change outside any transaction, such as a gift to a relayer. A fork doesn't undo the change. */
  intervene(change: (ledger: Ledger, position: number) => void): void {
    this.#position += 1
    change(this.ledger, this.#position)
    this.newest.position = this.#position
    this.#pinned = this.#blocks.length
  }

  /** The reason why a transaction would fail in a block that is made now; undefined if it would succeed. */
  simulate(transaction: Transaction): string | undefined {
    const { unixSeconds } = this.newest
    return failureNow(this.ledger, { position: this.#position + 1, unixSeconds }, transaction)
  }

  #tick(): void {
    const { timeline, faults } = this.#d
    const pace = this.#pace
    const block = () => {
      if (pace !== this.#pace) return
      if (timeline.nowMs >= this.#haltedUntilMs) {
        if (faults.fires('chain_halt', 'chain')) this.#haltedUntilMs = timeline.nowMs + HALT_MS
        if (faults.fires('fork', 'chain')) this.#fork(1 + faults.random.below(FORK_MAX))
        this.#make()
      }
      this.#tick()
    }
    timeline.after(this.#blockMs, block, true)
  }

  #open(): Block {
    const last = this.#blocks.at(-1)
    // Occasionally a leader misses its slot, so slot numbers grow faster than block heights.
    const missed = this.#d.random.chance(0.05) ? 1 : 0
    const slots = Math.max(1, Math.round(this.#blockMs / BLOCK_MS)) + missed
    const block = {
      slot: (last?.slot ?? 0) + slots,
      height: (last?.height ?? 0) + 1,
      unixSeconds: this.clock.next(),
      position: this.#position,
    }
    this.#blocks.push(block)
    return block
  }

  #make(): void {
    const block = this.#open()
    const landed: Landed[] = []
    for (const transaction of this.mempool.takeDue()) {
      const one = this.#land(block, transaction)
      if (one !== undefined) landed.push(one)
    }
    block.position = this.#position
    this.onBlock(landed)
  }

  #land(block: Block, transaction: Transaction): Landed | undefined {
    const { signature, lastValidHeight, message } = transaction
    if (block.height > lastValidHeight || this.ledger.hasLanded(signature)) return undefined
    this.#position += 1
    const { unixSeconds, slot } = block
    const at = { position: this.#position, unixSeconds }
    const execution = execute(this.ledger, at, transaction)
    if (execution === undefined) return undefined
    const landed = { transaction, position: this.#position, slot, unixSeconds, ...execution }
    this.ledger.record(landed)
    const outcome = execution.failure ?? 'landed'
    this.#d.trace.add(this.#d.timeline.nowMs, 'chain', `${message.kind} ${outcome}`)
    return landed
  }

  /**
   * Replaces the newest blocks with empty blocks. Each transaction of the replaced blocks is broadcast again or lost.
   */
  #fork(wanted: number): void {
    const depth = Math.min(wanted, this.#blocks.length - this.#pinned)
    if (depth === 0) return
    const base = this.#blocks[this.#blocks.length - 1 - depth] as Block
    const undone = this.ledger.revert(base.position)
    for (const block of this.#blocks.slice(-depth)) block.position = base.position
    for (const { transaction } of undone) {
      if (this.#d.faults.random.chance(0.7)) this.mempool.add(transaction)
    }
  }
}
