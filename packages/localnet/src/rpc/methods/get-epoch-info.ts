import { heightOfSlot } from '../../chain/block-schedule.ts'
import { SLOTS_PER_EPOCH } from '../../chain/epoch.ts'
import { contextSlot } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'

export const getEpochInfo = defineMethod({
  name: 'getEpochInfo',
  params: paramList(contextParam),
  handle: ([config], scope) => {
    const slot = contextSlot(scope, config)
    return {
      absoluteSlot: slot,
      blockHeight: heightOfSlot(slot),
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: scope.chain.ledger.countUpTo(slot),
    }
  },
})
