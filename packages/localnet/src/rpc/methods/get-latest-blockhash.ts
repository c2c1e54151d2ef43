import { heightOfSlot } from '../../chain/block-schedule.ts'
import { MAX_PROCESSING_AGE } from '../../chain/recent-blockhashes.ts'
import { contextSlot, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'

export const getLatestBlockhash = defineMethod({
  name: 'getLatestBlockhash',
  params: paramList(contextParam),
  handle: ([config], scope) => {
    const slot = contextSlot(scope, config)
    return withContext(slot, {
      blockhash: scope.chain.blockhashes.hashOf(slot),
      lastValidBlockHeight: heightOfSlot(slot) + MAX_PROCESSING_AGE,
    })
  },
})
