import { assetAddress, shownAsset, type Address } from '@sotto/protocol'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Creates a function that finds the mint of an Asset account. A deposit names only the Asset account, but its leaf
 * depends on the mint. Each account is read only once.
 */
export function assetMints(rpc: ChainRpc, program: Address): (asset: Address) => Promise<Address> {
  const mints = new Map<Address, Address>()
  return async (asset) => {
    const known = mints.get(asset)
    if (known !== undefined) return known
    const { accounts } = await readAccounts(rpc, [asset], { commitment: 'finalized' })
    const shown = shownAsset(program, accounts[0])
    if (shown === undefined) throw new Error('a deposit names an asset that does not exist')
    const { mint } = shown
    if ((await assetAddress(program, mint)) !== asset)
      throw new Error('a deposit names an asset at a wrong address')
    mints.set(asset, mint)
    return mint
  }
}
