import { z } from 'zod'
import { contextSlot, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'

export const isBlockhashValid = defineMethod({
  name: 'isBlockhashValid',
  params: paramList(z.string(), contextParam),
  handle: ([blockhash, config], scope) => {
    const slot = contextSlot(scope, config)
    return withContext(slot, scope.chain.blockhashes.isValidAt(blockhash, slot))
  },
})
