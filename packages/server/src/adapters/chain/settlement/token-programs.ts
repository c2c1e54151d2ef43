import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { NATIVE_MINT, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Finds the token program that owns a mint; undefined for native SOL. */
export type FindTokenProgram = (mint: Address) => Promise<Address | undefined>

/** Reads each mint only once, because the token program that owns a listed mint never changes. */
export function tokenPrograms(rpc: ChainRpc): FindTokenProgram {
  const programs = new Map<Address, Address>()
  return async (mint) => {
    if (mint === NATIVE_MINT) return undefined
    const known = programs.get(mint)
    if (known !== undefined) return known
    const slice = { offset: 0, length: 0 }
    const { accounts } = await readAccounts(rpc, [mint], { commitment: 'confirmed', slice })
    const owner = accounts[0]?.owner
    if (owner !== TOKEN_PROGRAM_ADDRESS && owner !== TOKEN_2022_PROGRAM) {
      throw new Error('no token program of this cluster owns the mint')
    }
    programs.set(mint, owner)
    return owner
  }
}
