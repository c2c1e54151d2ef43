import { z } from 'zod'
import { filtersParam, matchesFilters } from '../rpc/account-filters.ts'
import { accountConfig, addressParam, paramList } from '../rpc/params.ts'
import { renderAccount } from '../rpc/render-account.ts'
import { whenReached } from './reached-changes.ts'
import { defineSubscription } from './subscription.ts'
import { notifiedAt } from './notified-at.ts'

/** Notifies of the new content of a program's accounts when their changes reach the commitment. */
export const programKind = defineSubscription({
  name: 'program',
  params: paramList(
    addressParam,
    z.object({ ...accountConfig, filters: filtersParam.default([]) }).prefault({}),
  ),
  start: ([program, config], { chain, notify }) =>
    whenReached(chain, config.commitment, ({ slot, addresses }) => {
      const view = chain.view(slot)
      for (const pubkey of addresses()) {
        const account = view.read(pubkey)
        if (account?.owner !== program || !matchesFilters(account.data, config.filters)) continue
        notify(notifiedAt(slot, { pubkey, account: renderAccount(account, config, view) }))
      }
    }),
})
