import { z } from 'zod'
import { contextSlot, keptTransaction } from '../context.ts'
import { defineMethod } from '../method.ts'
import { paramList, signatureParam } from '../params.ts'
import { renderTransaction } from '../render-transaction.ts'
import { transactionConfig } from '../transaction-config.ts'

export const getTransaction = defineMethod({
  name: 'getTransaction',
  params: paramList(signatureParam, z.object(transactionConfig).prefault({})),
  handle: ([signature, config], scope) => {
    const record = keptTransaction(scope, signature, contextSlot(scope, config))
    if (record === undefined) return null
    return {
      slot: record.slot,
      transactionIndex: scope.chain.ledger.placeOf(record),
      blockTime: scope.chain.tip.times.at(record.slot),
      ...renderTransaction(record, config.encoding, config.maxSupportedTransactionVersion),
    }
  },
})
