import { decodePool, poolAddress, type Address } from '@sotto/protocol'
import type { PoolFacts } from '../../ports/chain.ts'
import { readAccounts } from '../settlement-chain/read-accounts.ts'
import type { ChainRpc } from '../settlement-chain/rpc-client.ts'

/** The program's Pool; undefined before it was initialised. */
export async function readPool(rpc: ChainRpc, program: Address): Promise<PoolFacts | undefined> {
  const address = await poolAddress(program)
  const { accounts } = await readAccounts(rpc, [address], { commitment: 'confirmed' })
  const account = accounts[0]
  // Anyone may have sent lamports to the address of a pool that doesn't exist yet.
  if (account === undefined || account.owner !== program) return undefined
  return { program, ...decodePool(account.data) }
}
