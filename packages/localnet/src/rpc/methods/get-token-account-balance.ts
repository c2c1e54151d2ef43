import { readMint, readTokenAccount } from '../../chain/token-accounts.ts'
import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { addressParam, contextParam, paramList } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'
import { renderTokenAmount } from '../token-amount.ts'

export const getTokenAccountBalance = defineMethod({
  name: 'getTokenAccountBalance',
  params: paramList(addressParam, contextParam),
  handle: ([address, config], scope) => {
    const view = contextView(scope, config)
    const account = view.read(address)
    if (account === null) {
      throw new RpcError(INVALID_PARAMS, 'Invalid param: could not find account')
    }
    const token = readTokenAccount(account)
    if (token === null) throw new RpcError(INVALID_PARAMS, 'Invalid param: not a Token account')
    const mint = readMint(view.read(token.mint))
    if (mint === null) throw new RpcError(INVALID_PARAMS, 'Invalid param: could not find mint')
    return withContext(view.slot, renderTokenAmount(token.amount, mint.decimals))
  },
})
