import { hexOf } from '../../domain/hex.ts'
import { Cooldown } from '../../running/cooldown.ts'
import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/** Maximum number of deposits that one round searches for. Each search takes two requests. */
const ROUND = 8
/**
 * Maximum number of deposits that a process remembers. A deposit beyond this number gets no signature. Its time stays
 * the time of the step that recorded it.
 */
const QUEUE_MAX = 5_000
/**
 * Number of tries for each deposit, spread over several hours. Further tries wouldn't help, because a node without
 * history never finds the deposit.
 */
const TRIES_MAX = 12
const REST_MS = 5_000
const REST_MAX_MS = 3_600_000

interface LocateDependencies {
  readonly chain: Pick<ChainFollow, 'findDeposit'>
  readonly store: Pick<FollowStore, 'listUnlocated' | 'recordLocated'>
  readonly clock: Clock
  readonly log: SettlementLog
}

/**
 * Finds the transactions of recorded deposits, for their signatures and exact times. Order statuses and settlement
 * don't depend on this data. The leaves of these orders are already in the tree, so a request reveals nothing new to
 * the node.
 */
export class DepositLocator {
  readonly #d: LocateDependencies
  readonly #waiting = new Map<string, { readonly orderId: Uint8Array; tries: number }>()
  readonly #rests = new Cooldown(REST_MS, REST_MAX_MS)
  #isSeeded = false

  constructor(d: LocateDependencies) {
    this.#d = d
  }

  add(orderIds: readonly Uint8Array[]): void {
    for (const orderId of orderIds) {
      if (this.#waiting.size >= QUEUE_MAX) return
      this.#waiting.set(hexOf(orderId), { orderId, tries: 0 })
    }
  }

  /** Searches for the transactions of the next few deposits. */
  async locate(): Promise<void> {
    const { store, clock } = this.#d
    if (!this.#isSeeded) {
      this.add(await store.listUnlocated(QUEUE_MAX))
      this.#isSeeded = true
    }
    const nowMs = clock.nowMs()
    const due = [...this.#waiting.values()].filter(({ orderId }) =>
      this.#rests.isDue(orderId, nowMs),
    )
    for (const one of due.slice(0, ROUND)) {
      one.tries += 1
      const isDone = (await this.#tryOne(one.orderId)) || one.tries >= TRIES_MAX
      if (isDone) this.#waiting.delete(hexOf(one.orderId))
      else this.#rests.rest(one.orderId, nowMs)
    }
  }

  async #tryOne(orderId: Uint8Array): Promise<boolean> {
    const { chain, store, log } = this.#d
    try {
      const found = await chain.findDeposit(orderId)
      if (found === undefined) return false
      await store.recordLocated(orderId, found)
      return true
    } catch (error) {
      log.failed('find_deposit', error)
      return false
    }
  }
}
