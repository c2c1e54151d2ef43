import type { StateView } from '../chain/state-view.ts'
import type { Commitment } from '../chain/tip.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import type { RpcScope } from './method.ts'
import { MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './rpc-error.ts'

/** The node version whose behaviour this chain follows. `getVersion` and the context of an answer contain it. */
export const API_VERSION = '4.0.0'

export interface ContextConfig {
  readonly commitment: Commitment
  readonly minContextSlot?: number | undefined
}

/** The slot at whose end the request reads the chain. Throws if the slot is below the client's `minContextSlot`. */
export function contextSlot(scope: RpcScope, config: ContextConfig): number {
  const slot = scope.chain.tip.slotAt(config.commitment, scope.lag)
  if (config.minContextSlot !== undefined && slot < config.minContextSlot) {
    throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
      contextSlot: slot,
    })
  }
  return slot
}

/** The accounts at the end of the slot that `contextSlot` returns. */
export function contextView(scope: RpcScope, config: ContextConfig): StateView {
  return scope.chain.view(contextSlot(scope, config))
}

/** Wraps an answer with its slot and the node's version. */
export function withContext<T>(slot: number, value: T): { context: object; value: T } {
  return { context: { slot, apiVersion: API_VERSION }, value }
}

/** The transaction, if the node still has it and it landed at or before the slot `newest`. */
export function keptTransaction(
  scope: RpcScope,
  signature: string,
  newest: number,
): TransactionRecord | undefined {
  const record = scope.chain.ledger.find(signature)
  const isKept = record !== undefined && record.slot <= newest
  return isKept && record.slot >= scope.faults.historyFrom ? record : undefined
}
