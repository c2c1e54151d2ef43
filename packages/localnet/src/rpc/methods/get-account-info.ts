import { z } from 'zod'
import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { accountConfig, addressParam, paramList } from '../params.ts'
import { renderAccount } from '../render-account.ts'

export const getAccountInfo = defineMethod({
  name: 'getAccountInfo',
  params: paramList(addressParam, z.object(accountConfig).prefault({})),
  handle: ([address, config], scope) => {
    const view = contextView(scope, config)
    const account = view.read(address)
    return withContext(view.slot, account === null ? null : renderAccount(account, config, view))
  },
})
