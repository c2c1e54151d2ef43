import type { Clock } from '../../ports/clock.ts'
import type {
  FollowStore,
  HealthStore,
  PayStore,
  UpkeepStore,
} from '../../ports/settlement-store.ts'
import type { Random } from '../../ports/random.ts'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { TreeWitness } from '../follow/tree-witness.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import type { SettlementGauges } from '../../ports/settlement-gauges.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/** The dependencies of key destruction. */
export interface DestroyDependencies {
  readonly chain: Pick<ChainPay, 'readNullifiers'>
  readonly random: Random
  readonly secrets: Secrets
  readonly store: UpkeepStore & PayStore & HealthStore & Pick<FollowStore, 'readCursor'>
  readonly opener: NoteOpener
  readonly clock: Clock
  readonly log: SettlementLog
  readonly tree: Pick<VerifiedTree, 'size'>
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'confirmed'> | undefined
  readonly gauges?: Pick<SettlementGauges, 'keysDestroyedUntil'> | undefined
  /** Time for which an epoch's key is kept after the last order of the epoch became final, in milliseconds. */
  readonly retentionMs: number
  readonly workerId: string
  readonly leaseMs: number
}
