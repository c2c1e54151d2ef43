import { z } from 'zod'
import { heightOfSlot, isSkippedSlot, slotOfHeight } from '../../chain/block-schedule.ts'
import { contextSlot } from '../context.ts'
import { defineMethod } from '../method.ts'
import { countParam, paramList } from '../params.ts'
import { renderTransaction } from '../render-transaction.ts'
import { BLOCK_CLEANED_UP, BLOCK_NOT_AVAILABLE, RpcError, SLOT_SKIPPED } from '../rpc-error.ts'
import { transactionConfig } from '../transaction-config.ts'

const configParam = z
  .object({
    ...transactionConfig,
    transactionDetails: z.enum(['full', 'signatures', 'none']).default('full'),
    rewards: z.boolean().default(true),
  })
  .prefault({})

export const getBlock = defineMethod({
  name: 'getBlock',
  params: paramList(countParam, configParam),
  handle: ([slot, config], scope) => {
    if (slot > contextSlot(scope, config)) {
      throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`)
    }
    const first = scope.faults.historyFrom
    if (slot < first) {
      const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`
      throw new RpcError(BLOCK_CLEANED_UP, message)
    }
    if (isSkippedSlot(slot)) throw new RpcError(SLOT_SKIPPED, `Slot ${slot} was skipped`)
    const { chain } = scope
    const parentSlot = slotOfHeight(heightOfSlot(slot) - 1)
    const records = chain.ledger.inSlot(slot)
    const { transactionDetails: details, encoding, maxSupportedTransactionVersion: max } = config
    return {
      blockhash: chain.blockhashes.hashOf(slot),
      previousBlockhash: chain.blockhashes.hashOf(parentSlot),
      parentSlot,
      blockHeight: heightOfSlot(slot),
      blockTime: chain.tip.times.at(slot),
      rewards: config.rewards ? [] : undefined,
      signatures: details === 'signatures' ? records.map((each) => each.signature) : undefined,
      transactions:
        details === 'full'
          ? records.map((record) => renderTransaction(record, encoding, max))
          : undefined,
    }
  },
})
