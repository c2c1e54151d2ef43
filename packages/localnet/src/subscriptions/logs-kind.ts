import { z } from 'zod'
import { addressParam, contextParam, paramList } from '../rpc/params.ts'
import { whenReached } from './reached-changes.ts'
import { defineSubscription } from './subscription.ts'
import { notifiedAt } from './notified-at.ts'

const filterParam = z.union([
  z.enum(['all', 'allWithVotes']),
  z.object({ mentions: z.array(addressParam).length(1) }),
])

/** Notifies of the logs of every transaction, or only of the transactions that name one address. */
export const logsKind = defineSubscription({
  name: 'logs',
  params: paramList(filterParam, contextParam),
  start: ([filter, { commitment }], { chain, notify }) => {
    const mentioned = typeof filter === 'string' ? undefined : filter.mentions[0]
    return whenReached(chain, commitment, ({ records }) => {
      for (const record of records()) {
        if (mentioned !== undefined && !record.accountKeys.includes(mentioned)) continue
        const { err, logs } = record.outcome
        notify(notifiedAt(record.slot, { signature: record.signature, err, logs }))
      }
    })
  },
})
