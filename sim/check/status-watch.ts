import { statusOf, type MemoryOrder } from '../store/memory-database.ts'
import { isFinal, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import { canReach } from './can-reach.ts'
import type { Evidence } from './evidence.ts'
import { isRefund, notesOf, truthOf } from './notes.ts'
import type { Fail } from './verdict.ts'

/** Checks every change of an order's status against the state machine and the finalized chain. */
export class StatusWatch {
  readonly #evidence: Evidence
  readonly #onEnd: (key: string) => void
  readonly #known = new Map<string, OrderStatus>()
  #leaves = 0

  /** `onEnd` is called with each order that becomes final. */
  constructor(evidence: Evidence, onEnd: (key: string) => void) {
    this.#evidence = evidence
    this.#onEnd = onEnd
  }

  /** Checks the statuses that the last write changed. */
  check(fail: Fail): void {
    this.#checkLeaves(fail)
    for (const [key, order] of this.#evidence.memory.database.orders) {
      const before = this.#known.get(key) ?? 'awaiting_deposit'
      const after = statusOf(order)
      if (before === after) continue
      this.#known.set(key, after)
      this.#evidence.trace.add(this.#evidence.timeline.nowMs, `order ${key.slice(0, 6)}`, after)
      if (isFinal(after)) this.#onEnd(key)
      // Before a refund begins, a node must show that the Nullifier doesn't exist. Simulated nodes never hide a
      // Nullifier. So an order that is being refunded must never become delivered.
      const isGivenUp = before === 'refunding' && after === 'delivered'
      if (isGivenUp || !canReach(before, after))
        fail('a status never goes back', `${before} then ${after}`)
      this.#checkAgainstChain(key, order, after, fail)
    }
  }

  #checkAgainstChain(key: string, order: MemoryOrder, status: OrderStatus, fail: Fail): void {
    const { chain } = this.#evidence
    const { position, unixSeconds } = chain.blockAt('finalized')
    const note = notesOf(this.#evidence).get(key)
    const final = truthOf(this.#evidence, key, note, position)
    const [settlement] = final.settlements
    if (status === 'expired') {
      const ever = truthOf(this.#evidence, key, note, Infinity)
      if (ever.deposits.length > 0) fail('I8: an expired order has no deposit', key)
      if (unixSeconds <= order.validUntil)
        fail('I8: an order expires only after every authorisation has ended', key)
    } else if (status !== 'awaiting_deposit') {
      if (final.deposits.length !== 1)
        fail('an order is deposited only after its deposit is final', status)
      const placed = chain.ledger.orders.read(key, position)?.leafIndex
      if (placed !== undefined && order.leafIndex !== placed)
        fail('I8: a deposited order has the leaf of its own deposit', key)
    }
    if (status === 'refunding' && unixSeconds <= order.expiry)
      fail('I5: no refund begins before the expiry', key)
    if (status === 'refunding' && settlement !== undefined && !isRefund(settlement)) {
      fail('a delivered order is not refunded', key)
    }
    if (status !== 'delivered' && status !== 'refunded') return
    // The customer has no ticket if their connection broke while they ordered.
    if (note === undefined) return
    if (settlement === undefined) return fail('a final status has a final settlement', status)
    if (isRefund(settlement) !== (status === 'refunded'))
      fail('a final status matches the settlement', status)
  }

  /** Invariants I8 and I9: the stored leaves must be the first leaves of the finalized chain's tree. */
  #checkLeaves(fail: Fail): void {
    const { chain, memory } = this.#evidence
    const { leaves } = memory.database
    if (leaves.length === this.#leaves) return
    this.#leaves = leaves.length
    const count = chain.ledger.leavesAt(chain.blockAt('finalized').position)
    if (leaves.length > count)
      return fail('I9: stored leaves are final', `${leaves.length} of ${count}`)
    for (let index = 0; index < leaves.length; index += 1) {
      if (chain.ledger.leaves[index]?.leaf !== leaves[index])
        fail('I9: stored leaves equal those of the chain', `${index}`)
    }
  }

  /** True if every order is final. */
  get areAllFinal(): boolean {
    const { orders } = this.#evidence.memory.database
    return [...orders.values()].every((order) => isFinal(statusOf(order)))
  }
}
