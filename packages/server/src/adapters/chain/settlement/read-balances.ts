import { NOTHING, RENT_SYSVAR, shownRent, type Address } from '@sotto/protocol'
import type { RelayerBalances } from '../../../ports/relayer-balances.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Reads the relayers' lamports and the cluster's rent in one request, at `confirmed`. */
export async function readBalances(
  rpc: ChainRpc,
  wallets: readonly Address[],
): Promise<RelayerBalances> {
  const addresses = [RENT_SYSVAR, ...wallets]
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
  const [rent, ...owned] = accounts
  return {
    balances: owned.map((account) => account?.lamports ?? NOTHING),
    lamportsPerByte: shownRent(rent),
  }
}
