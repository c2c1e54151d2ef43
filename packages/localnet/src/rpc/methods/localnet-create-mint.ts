import { z } from 'zod'
import { createMint } from '../../chain/test-tokens.ts'
import { defineMethod } from '../method.ts'
import { addressParam, paramList } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

const MAX_DECIMALS = 255

const configParam = z.strictObject({
  mint: addressParam.optional(),
  decimals: z.number().int().min(0).max(MAX_DECIMALS),
  symbol: z.string().min(1).max(16).optional(),
})

/**
 * Creates an SPL Token mint whose authority is the faucet. Without an address, the address is derived from the symbol,
 * or from the decimals if there is no symbol. A repeated call changes nothing. A call for the same mint with other
 * decimals is an error.
 */
export const localnetCreateMint = defineMethod({
  name: 'localnet_createMint',
  params: paramList(configParam),
  handle: ([config], scope) => {
    const result = createMint(scope.chain, scope.faucet.signer.address, config)
    if (result.kind === 'taken') {
      throw new RpcError(INVALID_PARAMS, 'another account or mint has this address')
    }
    const { mint } = result
    return { mint, decimals: config.decimals, symbol: config.symbol ?? null }
  },
})
