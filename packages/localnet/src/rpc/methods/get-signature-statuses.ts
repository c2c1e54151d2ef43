import { z } from 'zod'
import { heightOfSlot } from '../../chain/block-schedule.ts'
import type { Commitment } from '../../chain/tip.ts'
import type { TransactionErrorJson } from '../../chain/transaction-error.ts'
import { withContext } from '../context.ts'
import { type RpcScope, defineMethod } from '../method.ts'
import { paramList, signaturesParam } from '../params.ts'

/** Nodes keep the statuses of this many recent blocks. Older statuses are found only by searching the history. */
const REMEMBERED_BLOCKS = 300

const configParam = z.object({ searchTransactionHistory: z.boolean().default(false) }).prefault({})

export const getSignatureStatuses = defineMethod({
  name: 'getSignatureStatuses',
  params: paramList(signaturesParam, configParam),
  handle: ([signatures, config], scope) => {
    const statuses = signatures.map((signature) =>
      readStatus(signature, config.searchTransactionHistory, scope),
    )
    return withContext(scope.chain.tip.slotAt('processed', scope.lag), statuses)
  },
})

function readStatus(signature: string, searchHistory: boolean, scope: RpcScope): object | null {
  const { ledger, tip } = scope.chain
  const record = ledger.find(signature)
  const processed = tip.slotAt('processed', scope.lag)
  if (record === undefined || record.slot > processed) {
    const lost = scope.forks.find(signature, processed)
    return lost === undefined ? null : renderStatus(lost, processed, 'processed')
  }
  const age = heightOfSlot(processed) - heightOfSlot(record.slot)
  const isSearched = searchHistory && record.slot >= scope.faults.historyFrom
  if (age > REMEMBERED_BLOCKS && !isSearched) return null
  const isFinal = record.slot <= tip.slotAt('finalized', scope.lag)
  const isConfirmed = record.slot <= tip.slotAt('confirmed', scope.lag)
  const commitment = isFinal ? 'finalized' : isConfirmed ? 'confirmed' : 'processed'
  return renderStatus({ slot: record.slot, err: record.outcome.err }, processed, commitment)
}

function renderStatus(
  { slot, err }: { readonly slot: number; readonly err: TransactionErrorJson | null },
  processed: number,
  confirmationStatus: Commitment,
): object {
  const age = heightOfSlot(processed) - heightOfSlot(slot)
  return {
    slot,
    confirmations: confirmationStatus === 'finalized' ? null : age,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus,
  }
}
