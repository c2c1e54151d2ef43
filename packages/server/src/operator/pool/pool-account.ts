import { poolAddress, shownPool, type Address, type PoolAccount } from '@sotto/protocol'
import { readAccounts } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { OperatorError } from '../../start/operator-error.ts'

/** The address of 32 zero bytes, which an unused authoriser slot contains. */
export const UNSET_AUTHORISER = '11111111111111111111111111111111'

/** The two authoriser slots as commands print them: null for an unused slot. */
export const shownAuthorisers = ({
  authorisers,
}: Pick<PoolAccount, 'authorisers'>): (Address | null)[] =>
  authorisers.map((key) => (key === UNSET_AUTHORISER ? null : key))

/**
 * Reads the pool at `confirmed`. Returns undefined before `pool init`. @throws OperatorError if no program is deployed.
 */
export async function findPool(rpc: ChainRpc, program: Address): Promise<PoolAccount | undefined> {
  const addresses = [program, await poolAddress(program)]
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
  const [deployed, pool] = accounts
  if (deployed?.isExecutable !== true) {
    throw new OperatorError(`no program is deployed at ${program} on this cluster: deploy it first`)
  }
  return shownPool(program, pool)
}

/** Reads the pool. @throws OperatorError if `pool init` hasn't been run. */
export async function readPool(rpc: ChainRpc, program: Address): Promise<PoolAccount> {
  const pool = await findPool(rpc, program)
  if (pool === undefined) {
    throw new OperatorError('the program has no pool yet: run `sotto-server pool init` first')
  }
  return pool
}
