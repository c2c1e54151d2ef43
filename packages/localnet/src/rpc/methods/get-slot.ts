import { contextSlot } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'

export const getSlot = defineMethod({
  name: 'getSlot',
  params: paramList(contextParam),
  handle: ([config], scope) => contextSlot(scope, config),
})
