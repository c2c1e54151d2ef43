import { defineMethod, noParams } from '../method.ts'

export const getFirstAvailableBlock = defineMethod({
  name: 'getFirstAvailableBlock',
  params: noParams,
  handle: (_, { faults }) => faults.historyFrom,
})
