import type { Poseidon } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { PublishedLeaves } from '../../ports/published-leaves.ts'
import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { PlanDependencies } from './plan-delivery.ts'
import type { ProvenDependencies } from './proven-deposits.ts'
import type { TreeWitness } from './tree-witness.ts'

export interface FollowDependencies extends PlanDependencies, ProvenDependencies {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly poseidon: Poseidon
  readonly pool: { readonly domain: Uint8Array }
  /** Sources of leaves that the ring has dropped, in the order in which they are asked. */
  readonly published: readonly PublishedLeaves[]
  readonly clock: Clock
  readonly log: SettlementLog
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'compare' | 'publish' | 'forget'> | undefined
  /** See `SettlementSettings`. */
  readonly clockMarginSeconds?: bigint | undefined
  /** Called with the ids of orders whose deposits were just recorded. */
  readonly deposited?: (orderIds: readonly Uint8Array[]) => void
  /** Called if the cursor couldn't move as far as the head. The wall clock limits how far a step moves the cursor. */
  readonly catchingUp?: () => void
}
