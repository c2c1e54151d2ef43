import {
  assetAddress,
  shownAsset,
  swapAvailable,
  type Address,
  type AssetAccount,
} from '@sotto/protocol'
import type { AssetFacts } from '../../../ports/chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import { readClock } from '../settlement/read-head.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** The limits of each asset's transfers; undefined if the pool doesn't list the mint. */
export async function readAssets(
  rpc: ChainRpc,
  program: Address,
  mints: readonly Address[],
): Promise<(AssetFacts | undefined)[]> {
  const addresses = await Promise.all(mints.map((mint) => assetAddress(program, mint)))
  const [{ accounts }, clock] = await Promise.all([
    readAccounts(rpc, addresses, { commitment: 'confirmed' }),
    readClock(rpc),
  ])
  return accounts.map((account) => {
    const asset = shownAsset(program, account)
    return asset && factsOf(asset, clock)
  })
}

function factsOf(asset: AssetAccount, clock: bigint): AssetFacts {
  return {
    mint: asset.mint,
    depositsPaused: asset.depositsPaused,
    depositMax: asset.depositMax,
    swapAvailable: swapAvailable(asset, clock),
  }
}
