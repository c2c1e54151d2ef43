import { assetAddress, shownAsset, type Address, type AssetAccount } from '@sotto/protocol'
import { readAccounts } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { OperatorError } from '../../start/operator-error.ts'

/** Reads an asset's account at `confirmed`. Returns undefined before `asset add`. */
export async function findAsset(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
): Promise<AssetAccount | undefined> {
  const account = await assetAddress(program, mint)
  const { accounts } = await readAccounts(rpc, [account], { commitment: 'confirmed' })
  return shownAsset(program, accounts[0])
}

/** Reads an asset's account. @throws OperatorError if `asset add` hasn't been run. */
export async function readAsset(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
): Promise<AssetAccount> {
  const asset = await findAsset(rpc, program, mint)
  if (asset === undefined) {
    throw new OperatorError('the pool has no such asset: run `sotto-server asset add` first')
  }
  return asset
}
