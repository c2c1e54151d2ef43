import { TIME_GRID_SECONDS, type Address } from '@sotto/protocol'
import type { Config } from '../config.ts'
import type { Chain, PoolFacts } from '../ports/chain.ts'
import { allowsOrdersOf, isAuthoriserOf } from '../usecases/market/market.ts'
import { OperatorError } from './operator-error.ts'
import { noPool } from './require-pool.ts'

/**
 * Checks the pool before the first request, so that the service never creates an order that the program would refuse.
 *
 * @throws OperatorError that names the correction.
 */
export async function assertServable(
  chain: Chain,
  authoriser: Address,
  config: Config,
): Promise<void> {
  const pool = await chain.readPool()
  if (pool === undefined) throw noPool(config.PROGRAM_ID)
  assertFits(pool, authoriser, config)
}

function assertFits(pool: PoolFacts, authoriser: Address, config: Config): void {
  if (!isAuthoriserOf(pool, authoriser)) {
    throw new OperatorError(
      `the key of SOTTO_AUTHORISER_KEY (${authoriser}) is not an authoriser of the pool; run: sotto-server pool rotate`,
    )
  }
  if (!allowsOrdersOf(pool, config.ORDER_SECONDS)) {
    throw new OperatorError(
      `SOTTO_ORDER_SECONDS must be at least ${TIME_GRID_SECONDS} seconds below the pool's maximum time for a deposit, which is ${pool.maxDepositSeconds} seconds`,
    )
  }
}
