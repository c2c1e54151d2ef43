import { z } from 'zod'
import { heightOfSlot } from '../../chain/block-schedule.ts'
import { withContext } from '../context.ts'
import type { RpcScope } from '../method.ts'
import { defineMethod } from '../method.ts'
import { paramList, signaturesParam } from '../params.ts'

/** Nodes remember the status of this many recent blocks; older ones only a history search finds. */
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
  if (record === undefined || record.slot > processed) return null
  const age = heightOfSlot(processed) - heightOfSlot(record.slot)
  if (age > REMEMBERED_BLOCKS && !searchHistory) return null
  const { err } = record.outcome
  const isFinal = record.slot <= tip.slotAt('finalized', scope.lag)
  const isConfirmed = record.slot <= tip.slotAt('confirmed', scope.lag)
  return {
    slot: record.slot,
    confirmations: isFinal ? null : age,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: isFinal ? 'finalized' : isConfirmed ? 'confirmed' : 'processed',
  }
}
