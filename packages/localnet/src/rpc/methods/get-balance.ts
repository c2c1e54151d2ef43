import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { addressParam, contextParam, paramList } from '../params.ts'

export const getBalance = defineMethod({
  name: 'getBalance',
  params: paramList(addressParam, contextParam),
  handle: ([address, config], scope) => {
    const view = contextView(scope, config)
    return withContext(view.slot, view.read(address)?.lamports ?? 0n)
  },
})
