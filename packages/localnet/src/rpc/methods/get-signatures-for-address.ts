import { z } from 'zod'
import type { TransactionRecord } from '../../chain/transaction-record.ts'
import { contextSlot, keptTransaction } from '../context.ts'
import { type RpcScope, defineMethod } from '../method.ts'
import { addressParam, countParam, paramList, signatureParam } from '../params.ts'
import { FILTER_TRANSACTION_NOT_FOUND, RpcError } from '../rpc-error.ts'
import { transactionConfig } from '../transaction-config.ts'

const MAX_SIGNATURES = 1_000

const configParam = z
  .object({
    commitment: transactionConfig.commitment,
    minContextSlot: countParam.optional(),
    before: signatureParam.optional(),
    until: signatureParam.optional(),
    limit: countParam
      .refine((limit) => limit >= 1 && limit <= MAX_SIGNATURES, `limit; max ${MAX_SIGNATURES}`)
      .default(MAX_SIGNATURES),
  })
  .prefault({})

export const getSignaturesForAddress = defineMethod({
  name: 'getSignaturesForAddress',
  params: paramList(addressParam, configParam),
  handle: ([address, config], scope) => {
    const newest = contextSlot(scope, config)
    for (const signature of [config.before, config.until]) {
      if (signature === undefined || keptTransaction(scope, signature, newest) !== undefined)
        continue
      throw new RpcError(FILTER_TRANSACTION_NOT_FOUND, `Transaction ${signature} not found`)
    }
    const found: object[] = []
    const listed = scope.chain.ledger.mentioning(address, config, scope.faults.listingRank)
    for (const record of listed) {
      if (record.slot > newest) continue
      if (found.length >= config.limit || record.slot < scope.faults.historyFrom) break
      found.push(renderSignature(record, scope))
    }
    return found
  },
})

function renderSignature(record: TransactionRecord, scope: RpcScope): object {
  const { ledger, tip } = scope.chain
  const isFinal = record.slot <= tip.slotAt('finalized', scope.lag)
  return {
    signature: record.signature,
    slot: record.slot,
    transactionIndex: ledger.placeOf(record),
    err: record.outcome.err,
    memo: null,
    blockTime: tip.times.at(record.slot),
    confirmationStatus: isFinal ? 'finalized' : 'confirmed',
  }
}
