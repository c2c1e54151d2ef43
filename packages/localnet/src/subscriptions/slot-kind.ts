import { noParams } from '../rpc/method.ts'
import { defineSubscription } from './subscription.ts'

/** Notifies of every new block: its slot, its parent's slot and the finalized slot. */
export const slotKind = defineSubscription({
  name: 'slot',
  params: noParams,
  start: (_, { notify }) => ({ onBlock: (advance) => notify(advance) }),
})
