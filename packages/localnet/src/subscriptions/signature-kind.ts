import { withContext } from '../rpc/context.ts'
import { contextParam, paramList, signatureParam } from '../rpc/params.ts'
import { defineSubscription } from './subscription.ts'

/** Tells once, when a transaction has reached the commitment, and then ends. */
export const signatureKind = defineSubscription({
  name: 'signature',
  params: paramList(signatureParam, contextParam),
  start: ([signature, { commitment }], { chain, notify, end }) => {
    const check = () => {
      const record = chain.ledger.find(signature)
      const slot = chain.tip.slotAt(commitment)
      if (record === undefined || record.slot > slot) return
      end()
      notify(withContext(slot, { err: record.outcome.err }))
    }
    // The transaction may have got there before its subscriber; the answer to the subscribe
    // request must still go out first.
    setImmediate(check)
    return { onBlock: check, onBatch: check }
  },
})
