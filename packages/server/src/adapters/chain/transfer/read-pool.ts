import { poolAddress, RENT_SYSVAR, shownPool, shownRent, type Address } from '@sotto/protocol'
import type { PoolFacts } from '../../../ports/chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Reads the program's Pool; undefined if the Pool isn't initialised yet. */
export async function readPool(rpc: ChainRpc, program: Address): Promise<PoolFacts | undefined> {
  const address = await poolAddress(program)
  const addresses = [address, RENT_SYSVAR]
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
  const pool = shownPool(program, accounts[0])
  return pool && { program, ...pool, lamportsPerByte: shownRent(accounts[1]) }
}
