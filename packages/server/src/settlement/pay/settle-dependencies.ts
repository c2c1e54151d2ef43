import type { Poseidon } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { Prover } from '../../ports/prover.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { NoteOpener } from './open-note.ts'
import type { Pacer } from '../../running/pacer.ts'
import type { KeptProofs } from './kept-proofs.ts'
import type { UnreadableAttempts } from './unreadable-attempts.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import type { WorkInHand } from '../../running/work-in-hand.ts'

/** What paying notes works with. */
export interface SettleDependencies {
  readonly chain: SettlementChain
  readonly store: SettlementStore
  readonly prover: Prover
  readonly relayers: readonly Signer[]
  readonly clock: Clock
  readonly random: Random
  readonly poseidon: Poseidon
  readonly log: SettlementLog
  readonly tracing?: Tracing
  readonly tree: VerifiedTree
  readonly opener: NoteOpener
  readonly proofs: KeptProofs
  /** Orders whose last try failed rest here. */
  readonly retries: Pacer
  /** Live attempts that were sent just now rest here. */
  readonly broadcasts: Pacer
  readonly unreadable: UnreadableAttempts
  /** Names this worker in leases. */
  readonly workerId: string
  readonly leaseMs: number
  /** Lamports of priority fee that a settlement offers. */
  readonly priorityLamports: bigint
  /** The orders that this worker is paying. */
  readonly inHand: WorkInHand
  /** Orders paid, and orders confirmed, at the same time. */
  readonly concurrency: number
}
