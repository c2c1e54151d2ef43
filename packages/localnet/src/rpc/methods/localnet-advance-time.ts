import { defineMethod } from '../method.ts'
import { countParam, paramList } from '../params.ts'

/** The longest jump, in seconds. With this limit, slot numbers stay far below 2^53 at any slot interval. */
const MAX_SECONDS = 10 * 366 * 86_400

export const localnetAdvanceTime = defineMethod({
  name: 'localnet_advanceTime',
  params: paramList(countParam.refine((seconds) => seconds <= MAX_SECONDS, 'at most ten years')),
  handle: ([seconds], scope) => {
    const { chain, slotMs } = scope
    chain.advanceTime(seconds, Math.ceil((seconds * 1000) / slotMs))
    return { slot: chain.tip.slot, unixTimestamp: chain.tip.unixTime }
  },
})
