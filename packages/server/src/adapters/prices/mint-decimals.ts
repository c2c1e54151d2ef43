import { NATIVE_MINT, shownMint, type Address } from '@sotto/protocol'
import { readAccounts } from '../rpc/read-accounts.ts'
import type { ChainRpc } from '../rpc/rpc-client.ts'

const NATIVE_DECIMALS = 9

/**
 * Reads the number of decimals of a mint from the chain. A number that an operator types could be wrong, and prices
 * would then be wrong by factors of ten. The number never changes.
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
