import { heightOfSlot, slotOfHeight } from '../../chain/block-schedule.ts'
import { contextSlot } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, countParam, paramList } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

const MAX_RANGE = 500_000

export const getBlocks = defineMethod({
  name: 'getBlocks',
  params: paramList(countParam, countParam.optional(), contextParam),
  handle: ([start, end, config], scope) => {
    const last = Math.min(end ?? start + MAX_RANGE, contextSlot(scope, config))
    if (end !== undefined && end - start > MAX_RANGE) {
      throw new RpcError(INVALID_PARAMS, `Slot range too large; max ${MAX_RANGE}`)
    }
    const slots: number[] = []
    for (let height = heightOfSlot(start); slotOfHeight(height) <= last; height += 1) {
      const slot = slotOfHeight(height)
      if (slot >= start) slots.push(slot)
    }
    return slots
  },
})
