import { NATIVE_MINT, shownMint, type Address } from '@sotto/protocol'
import { readAccounts } from '../rpc/read-accounts.ts'
import type { ChainRpc } from '../rpc/rpc-client.ts'

const NATIVE_DECIMALS = 9

/**
 * Creates a function that returns the number of decimals of a mint. The number never changes. A wrong number would make
 * prices wrong by factors of ten. So two numbers must agree: the number in the node's answer now, and the number that
 * `asset add` read and stored when the operator added the asset. Neither number is enough alone, because each may come
 * from a single node. While the numbers disagree, the function throws an error and caches nothing.
 */
export function mintDecimals(
  rpc: ChainRpc,
  listedDecimals: (mint: Address) => Promise<number | undefined>,
): (mint: Address) => Promise<number> {
  const known = new Map<Address, number>([[NATIVE_MINT, NATIVE_DECIMALS]])
  return async (mint) => {
    const kept = known.get(mint)
    if (kept !== undefined) return kept
    const listed = await listedDecimals(mint)
    if (listed === undefined) throw new Error('a priced asset is not listed')
    const { accounts } = await readAccounts(rpc, [mint], { commitment: 'confirmed' })
    const shown = shownMint(accounts[0])
    if (shown === undefined) throw new Error('a priced asset is not a mint on this cluster')
    if (shown.decimals !== listed) {
      throw new Error('the node and the listing show different decimals of a priced asset')
    }
    known.set(mint, listed)
    return listed
  }
}
