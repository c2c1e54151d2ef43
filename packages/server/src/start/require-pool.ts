import type { Address } from '@sotto/protocol'
import { readPool } from '../adapters/chain/transfer/read-pool.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { PoolFacts } from '../ports/chain.ts'
import { OperatorError } from './operator-error.ts'

/** The error if the program has no pool on the cluster of the configured nodes. */
export const noPool = (program: Address): OperatorError =>
  new OperatorError(
    `the program ${program} has no pool on this cluster: check SOTTO_PROGRAM_ID and SOTTO_RPC_URL, ` +
      'or create the pool with: sotto-server pool init',
  )

/** Reads the pool. @throws OperatorError if the program has none. */
export async function requirePool(rpc: ChainRpc, program: Address): Promise<PoolFacts> {
  const pool = await readPool(rpc, program)
  if (pool === undefined) throw noPool(program)
  return pool
}
