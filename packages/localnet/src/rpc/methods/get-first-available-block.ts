import { defineMethod, noParams } from '../method.ts'

export const getFirstAvailableBlock = defineMethod({
  name: 'getFirstAvailableBlock',
  params: noParams,
  handle: () => 0,
})
