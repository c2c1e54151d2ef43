import { assetAddress, shownAsset, type Address, type Amount } from '@sotto/protocol'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Reads the inventory of each asset at `confirmed`, in base units; undefined for a mint that the pool doesn't list. */
export async function readInventories(
  rpc: ChainRpc,
  program: Address,
  mints: readonly Address[],
): Promise<(Amount | undefined)[]> {
  const addresses = await Promise.all(mints.map((mint) => assetAddress(program, mint)))
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
  return accounts.map((account) => shownAsset(program, account)?.inventory)
}
