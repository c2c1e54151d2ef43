import type { Address } from '@sotto/protocol'
import { poolMints, type ReadPoolMints } from '../adapters/chain/settlement/pool-mints.ts'
import { listMints } from '../adapters/chain/settlement/read-books.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { sqlOverviewStore } from '../adapters/store/overview-store.ts'
import type { Sql } from '../adapters/store/sql.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Creates a function that returns the mints of the pool's assets, from the database and from a listing of the chain.
 */
export function poolMintsOf(d: {
  readonly rpc: ChainRpc
  readonly program: Address
  readonly database: Sql
  readonly clock: Pick<Clock, 'nowMs'>
}): ReadPoolMints {
  const store = sqlOverviewStore(d.database)
  return poolMints({
    list: () => listMints(d.rpc, d.program),
    known: async () => (await store.readAssets()).map(({ mint }) => mint),
    clock: d.clock,
  })
}
