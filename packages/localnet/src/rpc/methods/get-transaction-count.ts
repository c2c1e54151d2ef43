import { contextSlot } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'

export const getTransactionCount = defineMethod({
  name: 'getTransactionCount',
  params: paramList(contextParam),
  handle: ([config], scope) => scope.chain.ledger.countUpTo(contextSlot(scope, config)),
})
