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
    // If a transaction landed before the subscription, the chain reports it at the next block, as a validator does.
    // Clients would miss a notification that directly follows the response to the subscription.
    return { onBlock: check, onBatch: check }
  },
})
