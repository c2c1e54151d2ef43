import { FaucetFailure } from '../../chain/faucet.ts'
import { defineMethod } from '../method.ts'
import { addressParam, paramList, u64Param } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

export const requestAirdrop = defineMethod({
  name: 'requestAirdrop',
  params: paramList(addressParam, u64Param),
  handle: async ([address, lamports], scope) => {
    try {
      return await scope.faucet.airdrop(address, lamports)
    } catch (error) {
      if (!(error instanceof FaucetFailure)) throw error
      throw new RpcError(INVALID_PARAMS, 'airdrop request failed', { err: error.err })
    }
  },
})
