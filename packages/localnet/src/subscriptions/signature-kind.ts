import { contextParam, paramList, signatureParam } from '../rpc/params.ts'
import { defineSubscription } from './subscription.ts'
import { notifiedAt } from './notified-at.ts'

/** Notifies once, when a transaction has reached the commitment, and then ends. */
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
    // As on a validator, a transaction that landed before the subscription is reported at the next block. Clients would
    // miss a notification that comes directly after the response to the subscription.
    return { onBlock: check, onBatch: check }
  },
})
