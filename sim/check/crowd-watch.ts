import { decodeTerms } from '../../packages/server/src/domain/order-secrets.ts'
import { DELAYS } from '../actors/setting.ts'
import { BLOCKHASH_BLOCKS } from '../chain/fake-chain.ts'
import type { Transaction } from '../chain/transaction.ts'
import { unsealed } from '../run/keystore.ts'
import type { Evidence } from './evidence.ts'
import type { Fail } from './verdict.ts'

/**
 * The greatest age, in seconds, of a deposit that this check counts in a crowd. It includes the time that an attempt
 * can lose because of a slow node, a proof and a lost lease.
 */
const SECONDS = BigInt(DELAYS.maxDelaySeconds) + 900n

/**
 * Some transfers ask for a refund if their crowd is too small. Checks that the service delivers these transfers only in
 * their crowd. This check counts the crowd's wallets on the chain. It counts at least as many wallets as the service's
 * own rule.
 *
 * A worker whose node is stuck sees an old crowd, and no rule can detect that. But the worker's transaction then also
 * has an old blockhash. So the check counts the crowd at the time of that blockhash. If the transaction can still land,
 * the blockhash is recent, and so is the crowd.
 */
export class CrowdWatch {
  readonly #evidence: Evidence

  constructor(evidence: Evidence) {
    this.#evidence = evidence
  }

  /** Called when a worker has journalled a delivery of the order, with the delivery's transaction. */
  delivered(orderId: Uint8Array, { lastValidHeight }: Transaction, fail: Fail): void {
    const { chain, memory, timeline } = this.#evidence
    const order = memory.database.order(orderId)
    if (order === undefined || order.sealedTerms.length === 0) return
    const { crowd } = decodeTerms(unsealed(order.sealedTerms))
    if (crowd?.missed !== 'refund') return
    const wallets = new Set<string>()
    // The chain's clock may leap ahead after the worker has counted the crowd and before it makes the transaction. Then
    // the wall clock is nearer to the time of the worker's count.
    const wall = BigInt(Math.floor(timeline.nowMs / 1_000))
    const blockTime = chain.timeAt(lastValidHeight - BLOCKHASH_BLOCKS)
    const now = wall < blockTime ? wall : blockTime
    for (const { transaction, failure, unixSeconds } of chain.ledger.landed) {
      const { message } = transaction
      if (message.kind !== 'deposit' || failure !== undefined) continue
      if (unixSeconds < now - SECONDS) continue
      const { terms } = message
      const isEqual = terms.destinationMint === order.destinationMint && terms.value === order.value
      if (isEqual) wallets.add(terms.sender)
    }
    wallets.add(order.sender)
    if (wallets.size < crowd.min)
      fail(
        'no transfer is delivered without the crowd that it asks for',
        `${wallets.size} of ${crowd.min}`,
      )
  }
}
