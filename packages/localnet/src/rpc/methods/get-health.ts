import { defineMethod, noParams } from '../method.ts'

export const getHealth = defineMethod({
  name: 'getHealth',
  params: noParams,
  handle: () => 'ok',
})
