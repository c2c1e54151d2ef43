import type { Chain } from '../chain/chain.ts'
import type { DecodedTransaction } from '../chain/decoded-transaction.ts'
import type { Outcome } from '../chain/runtime.ts'
import { isFullySigned } from '../chain/verify-signatures.ts'
import { describeTransactionError } from './describe-transaction-error.ts'
import { refusedOutcome, renderOutcome, SIGNATURE_FAILURE } from './render-simulation.ts'
import { PREFLIGHT_FAILURE, RpcError } from './rpc-error.ts'

/**
 * Verifies and simulates a transaction before it is sent. Throws the error that a validator's preflight would return.
 */
export function assertPreflight(decoded: DecodedTransaction, bankSlot: number, chain: Chain): void {
  const outcome = simulateAt(decoded, bankSlot, chain)
  if (outcome.err === null) return
  throw new RpcError(
    PREFLIGHT_FAILURE,
    `Transaction simulation failed: ${describeTransactionError(outcome.err)}`,
    renderOutcome(outcome, decoded),
  )
}

function simulateAt(decoded: DecodedTransaction, bankSlot: number, chain: Chain): Outcome {
  if (!isFullySigned(decoded)) return refusedOutcome(SIGNATURE_FAILURE)
  const refusal = chain.simulationRefusalOf(decoded, bankSlot)
  return refusal === null ? chain.simulate(decoded, bankSlot) : refusedOutcome(refusal)
}
