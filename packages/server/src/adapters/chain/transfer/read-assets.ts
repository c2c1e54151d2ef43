import {
  assetAddress,
  NATIVE_MINT,
  RENT_SYSVAR,
  shownAsset,
  shownRent,
  walletMinimum,
  swapAvailable,
  type Address,
  type AssetAccount,
  amount,
  type UnixSeconds,
} from '@sotto/protocol'
import type { AssetFacts } from '../../../ports/chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import { readClock } from '../settlement/read-head.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Reads the limits of each asset's transfers; undefined for a mint that the pool doesn't list. */
export async function readAssets(
  rpc: ChainRpc,
  program: Address,
  mints: readonly Address[],
): Promise<(AssetFacts | undefined)[]> {
  const addresses = await Promise.all(mints.map((mint) => assetAddress(program, mint)))
  const [{ accounts }, clock] = await Promise.all([
    readAccounts(rpc, [RENT_SYSVAR, ...addresses], { commitment: 'confirmed' }),
    readClock(rpc),
  ])
  const [rent, ...shown] = accounts
  const lamportsPerByte = shownRent(rent)
  return shown.map((account) => {
    const asset = shownAsset(program, account)
    return asset && factsOf(asset, clock, lamportsPerByte)
  })
}

/** The minimum payout of a token: one base unit. */
const ONE = amount(1n)

function factsOf(asset: AssetAccount, clock: UnixSeconds, lamportsPerByte: bigint): AssetFacts {
  return {
    mint: asset.mint,
    depositsPaused: asset.depositsPaused,
    depositMax: asset.depositMax,
    payoutMin: asset.mint === NATIVE_MINT ? walletMinimum(lamportsPerByte) : ONE,
    swapAvailable: swapAvailable(asset, clock),
  }
}
