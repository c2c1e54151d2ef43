import { isSkippedSlot } from '../../chain/block-schedule.ts'
import { defineMethod } from '../method.ts'
import { countParam, paramList } from '../params.ts'
import { BLOCK_NOT_AVAILABLE, RpcError, SLOT_SKIPPED } from '../rpc-error.ts'

export const getBlockTime = defineMethod({
  name: 'getBlockTime',
  params: paramList(countParam),
  handle: ([slot], scope) => {
    if (slot > scope.chain.tip.slotAt('processed', scope.lag)) {
      throw new RpcError(BLOCK_NOT_AVAILABLE, `Block not available for slot ${slot}`)
    }
    const time = isSkippedSlot(slot) ? null : scope.chain.tip.times.at(slot)
    if (time !== null) return time
    throw new RpcError(
      SLOT_SKIPPED,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
    )
  },
})
