import type { FollowStore } from './follow-store.ts'
import type { HealthStore } from './health-store.ts'
import type { SettleStore } from './settle-store.ts'
import type { UpkeepStore } from './upkeep-store.ts'

/** Everything settlement keeps. Each method is one transaction; none spans a network call (I7). */
export interface SettlementStore extends FollowStore, SettleStore, UpkeepStore, HealthStore {}
