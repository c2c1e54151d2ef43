import { readMint } from '../../chain/token-accounts.ts'
import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { addressParam, contextParam, paramList } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'
import { renderTokenAmount } from '../token-amount.ts'

export const getTokenSupply = defineMethod({
  name: 'getTokenSupply',
  params: paramList(addressParam, contextParam),
  handle: ([address, config], scope) => {
    const view = contextView(scope, config)
    const mint = readMint(view.read(address))
    if (mint === null) throw new RpcError(INVALID_PARAMS, 'Invalid param: not a Token mint')
    return withContext(view.slot, renderTokenAmount(mint.supply, mint.decimals))
  },
})
