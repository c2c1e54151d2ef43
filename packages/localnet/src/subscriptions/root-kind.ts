import { noParams } from '../rpc/method.ts'
import { defineSubscription } from './subscription.ts'

/** Notifies of every newly finalized slot. */
export const rootKind = defineSubscription({
  name: 'root',
  params: noParams,
  start: (_, { notify }) => ({ onBlock: ({ root }) => notify(root) }),
})
