import { NATIVE_MINT, shownMint, type Address } from '@sotto/protocol'
import { readAccounts } from '../rpc/read-accounts.ts'
import type { ChainRpc } from '../rpc/rpc-client.ts'

const NATIVE_DECIMALS = 9

/**
 * Creates a function that reads the number of decimals of a mint from the chain. The number never changes. If an
 * operator typed it, it could be wrong, and prices would be wrong by factors of ten.
 */
export function mintDecimals(rpc: ChainRpc): (mint: Address) => Promise<number> {
  const known = new Map<Address, number>([[NATIVE_MINT, NATIVE_DECIMALS]])
  return async (mint) => {
    const kept = known.get(mint)
    if (kept !== undefined) return kept
    const { accounts } = await readAccounts(rpc, [mint], { commitment: 'confirmed' })
    const shown = shownMint(accounts[0])
    if (shown === undefined) throw new Error('a priced asset is not a mint on this cluster')
    known.set(mint, shown.decimals)
    return shown.decimals
  }
}
