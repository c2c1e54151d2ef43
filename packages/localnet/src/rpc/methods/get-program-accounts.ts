import { z } from 'zod'
import { filtersParam, matchesFilters } from '../account-filters.ts'
import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { accountConfig, addressParam, paramList } from '../params.ts'
import { renderAccount } from '../render-account.ts'

export const getProgramAccounts = defineMethod({
  name: 'getProgramAccounts',
  params: paramList(
    addressParam,
    z
      .object({
        ...accountConfig,
        filters: filtersParam.default([]),
        withContext: z.boolean().default(false),
      })
      .prefault({}),
  ),
  handle: ([program, config], scope) => {
    const view = contextView(scope, config)
    const accounts = [...view.ownedBy(program)]
      .filter(([, account]) => matchesFilters(account.data, config.filters))
      .map(([pubkey, account]) => ({ pubkey, account: renderAccount(account, config, view) }))
    return config.withContext ? withContext(view.slot, accounts) : accounts
  },
})
