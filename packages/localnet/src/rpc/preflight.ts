import type { Chain } from '../chain/chain.ts'
import type { DecodedTransaction } from '../chain/decoded-transaction.ts'
import type { Outcome } from '../chain/runtime.ts'
import { describeTransactionError } from './describe-transaction-error.ts'
import { renderReturnData } from './render-outcome.ts'
import { PREFLIGHT_FAILURE, RpcError } from './rpc-error.ts'

/** Simulates before sending. Throws the error that a validator's preflight answers. */
export function assertPreflight(decoded: DecodedTransaction, bankSlot: number, chain: Chain): void {
  const outcome = simulateAt(decoded, bankSlot, chain)
  if (outcome.err === null) return
  throw new RpcError(
    PREFLIGHT_FAILURE,
    `Transaction simulation failed: ${describeTransactionError(outcome.err)}`,
    {
      accounts: null,
      err: outcome.err,
      innerInstructions: null,
      loadedAccountsDataSize: null,
      logs: outcome.logs,
      replacementBlockhash: null,
      returnData: renderReturnData(outcome) ?? null,
      unitsConsumed: outcome.unitsConsumed,
    },
  )
}

function simulateAt(decoded: DecodedTransaction, bankSlot: number, chain: Chain): Outcome {
  const refusal = chain.simulationRefusalOf(decoded, bankSlot)
  return refusal === null ? chain.simulate(decoded, bankSlot) : refusedOutcome(refusal)
}

/** The outcome of a transaction that is refused before it runs. */
export function refusedOutcome(err: string): Outcome {
  return { err, logs: [], inner: [], unitsConsumed: 0n, returnData: null }
}
