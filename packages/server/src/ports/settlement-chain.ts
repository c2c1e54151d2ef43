import type { ChainFollow } from './chain-follow.ts'
import type { ChainSettle } from './chain-settle.ts'
import type { ChainUpkeep } from './chain-upkeep.ts'

/** Everything settlement asks of the chain. */
export interface SettlementChain extends ChainFollow, ChainSettle, ChainUpkeep {}
