import { z } from 'zod'
import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { accountConfig, addressParam, encodingParam, paramList } from '../params.ts'
import { renderAccount } from '../render-account.ts'

const MAX_ACCOUNTS = 100

export const getMultipleAccounts = defineMethod({
  name: 'getMultipleAccounts',
  params: paramList(
    z.array(addressParam).max(MAX_ACCOUNTS),
    z.object({ ...accountConfig, encoding: encodingParam.default('base64') }).prefault({}),
  ),
  handle: ([addresses, config], scope) => {
    const view = contextView(scope, config)
    const accounts = addresses.map((address) => {
      const account = view.read(address)
      return account === null ? null : renderAccount(account, config, view)
    })
    return withContext(view.slot, accounts)
  },
})
