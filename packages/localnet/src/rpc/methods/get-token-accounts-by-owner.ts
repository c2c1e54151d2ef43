import { z } from 'zod'
import {
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  isTokenProgram,
  readTokenAccount,
} from '../../chain/token-accounts.ts'
import { contextView, withContext } from '../context.ts'
import { defineMethod } from '../method.ts'
import { accountConfig, addressParam, paramList } from '../params.ts'
import { renderAccount } from '../render-account.ts'
import { INVALID_PARAMS, RpcError } from '../rpc-error.ts'

const filterParam = z.union([
  z.object({ mint: addressParam }),
  z.object({ programId: addressParam }),
])

export const getTokenAccountsByOwner = defineMethod({
  name: 'getTokenAccountsByOwner',
  params: paramList(addressParam, filterParam, z.object(accountConfig).prefault({})),
  handle: ([owner, filter, config], scope) => {
    const view = contextView(scope, config)
    if ('programId' in filter && !isTokenProgram(filter.programId)) {
      throw new RpcError(INVALID_PARAMS, 'Invalid param: unrecognized Token program id')
    }
    const programs =
      'programId' in filter ? [filter.programId] : [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
    const value = programs
      .flatMap((program) => [...view.ownedBy(program)])
      .filter(([, account]) => {
        const token = readTokenAccount(account)
        if (token?.owner !== owner) return false
        return !('mint' in filter) || token.mint === filter.mint
      })
      .map(([pubkey, account]) => ({ pubkey, account: renderAccount(account, config, view) }))
    return withContext(view.slot, value)
  },
})
