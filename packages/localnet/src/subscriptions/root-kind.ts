import { noParams } from '../rpc/method.ts'
import { defineSubscription } from './subscription.ts'

/** Notifies of the newest finalized slot at each new block. */
export const rootKind = defineSubscription({
  name: 'root',
  params: noParams,
  start: (_, { notify }) => ({ onBlock: ({ root }) => notify(root) }),
})
