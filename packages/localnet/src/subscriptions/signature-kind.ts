import { contextParam, paramList, signatureParam } from '../rpc/params.ts'
import { defineSubscription } from './subscription.ts'
import { notifiedAt } from './notified-at.ts'

/** Notifies when a transaction has reached the commitment. The subscription then ends. */
export const signatureKind = defineSubscription({
  name: 'signature',
  params: paramList(signatureParam, contextParam),
  start: ([signature, { commitment }], { chain, notify, end }) => {
    const check = () => {
      const record = chain.ledger.find(signature)
      const slot = chain.tip.slotAt(commitment)
      if (record === undefined || record.slot > slot) return
      end()
      notify(notifiedAt(slot, { err: record.outcome.err }))
    }
    // Like a validator, the chain reports a transaction that landed before the subscription only at the next block. An
    // immediate notification would follow the response to the subscription so closely that clients would miss it.
    return { onBlock: check, onBatch: check }
  },
})
