import { z } from 'zod'
import { FaucetFailure } from '../../chain/faucet.ts'
import { mintTokens } from '../../chain/test-tokens.ts'
import { defineMethod } from '../method.ts'
import { addressParam, paramList } from '../params.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

const MAX_U64 = 0xffff_ffff_ffff_ffffn

const amountParam = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/, 'not an amount in base units')
  .transform((text) => BigInt(text))
  .pipe(z.bigint().max(MAX_U64))

/** Mints tokens into the owner's associated token account. The mint must come from `localnet_createMint`. */
export const localnetMintTokens = defineMethod({
  name: 'localnet_mintTokens',
  params: paramList(addressParam, addressParam, amountParam),
  handle: async ([owner, mint, amount], scope) => {
    try {
      return await mintTokens(scope.faucet, { owner, mint, amount })
    } catch (error) {
      if (!(error instanceof FaucetFailure)) throw error
      throw new RpcError(
        INVALID_PARAMS,
        'minting failed; was the mint created with localnet_createMint?',
        {
          err: error.err,
        },
      )
    }
  },
})
