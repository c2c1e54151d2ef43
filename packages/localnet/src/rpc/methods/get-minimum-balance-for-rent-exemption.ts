import { defineMethod } from '../method.ts'
import { countParam, paramList } from '../params.ts'

export const getMinimumBalanceForRentExemption = defineMethod({
  name: 'getMinimumBalanceForRentExemption',
  params: paramList(countParam),
  handle: ([bytes], scope) => scope.chain.runtime.rentExemption(BigInt(bytes)),
})
