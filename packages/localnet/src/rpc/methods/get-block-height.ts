import { heightOfSlot } from '../../chain/block-schedule.ts'
import { contextSlot } from '../context.ts'
import { defineMethod } from '../method.ts'
import { contextParam, paramList } from '../params.ts'

export const getBlockHeight = defineMethod({
  name: 'getBlockHeight',
  params: paramList(contextParam),
  handle: ([config], scope) => heightOfSlot(contextSlot(scope, config)),
})
