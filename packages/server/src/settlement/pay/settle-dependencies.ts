import type { Poseidon } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { ProofVerifier } from '../../ports/proof-verifier.ts'
import type { Prover } from '../../ports/prover.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { Signer } from '../../ports/signer.ts'
import type { Tracing } from '../../ports/tracing.ts'
import type { DelayLaw } from '../../domain/delivery-schedule.ts'
import type { Crowds } from './crowds.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import type { Cooldown } from '../../running/cooldown.ts'
import type { PriceLimits } from './offered-price.ts'
import type { FirstReadings } from '../notes/first-readings.ts'
import type { KeptProofs } from './kept-proofs.ts'
import type { ProofQueue } from './proof-queue.ts'
import type { AttemptAges } from './attempt-ages.ts'
import type { CheckpointRoots } from '../follow/checkpoint-roots.ts'
import type { TreeWitness } from '../follow/tree-witness.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import type { WorkPool } from '../../running/work-pool.ts'

/** The dependencies of the code that pays and confirms orders. */
export interface SettleDependencies {
  readonly chain: SettlementChain
  readonly store: SettlementStore
  readonly prover: Prover
  /** Without a verifier, a payment whose note was spent without the service stays open until its signature expires. */
  readonly verifier?: ProofVerifier | undefined
  readonly relayers: readonly Signer[]
  readonly clock: Clock
  readonly random: Random
  readonly poseidon: Poseidon
  readonly pool: { readonly domain: Uint8Array }
  readonly log: SettlementLog
  readonly tracing?: Tracing
  readonly tree: VerifiedTree
  readonly checkpoints: CheckpointRoots
  readonly opener: NoteOpener
  readonly proofs: KeptProofs
  readonly proofQueue: ProofQueue
  readonly delayLaw: DelayLaw
  readonly crowds: Pick<Crowds, 'isThere'>
  /** Delays orders after a failed try. */
  readonly retries: Cooldown
  /** Delays searches for the settlements of notes whose refund window has passed. */
  readonly unclaimed: Cooldown
  /** Delays the next sending of a live attempt. */
  readonly broadcasts: Cooldown
  readonly attemptAges: AttemptAges
  readonly firstReadings: FirstReadings
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'confirmed'> | undefined
  /** The name of this worker in leases. */
  readonly workerId: string
  readonly leaseMs: number
  /** See `SettlementSettings`. */
  readonly clockMarginSeconds?: bigint | undefined
  readonly prices: PriceLimits
  /** The orders that this worker is paying. */
  readonly workPool: WorkPool
  /**
   * The orders for whose settlement this worker searches the history. They take at most a quarter of the pool's places.
   */
  readonly searches: WorkPool
  /** Maximum number of orders that are paid at the same time, and of orders that are confirmed at the same time. */
  readonly concurrency: number
}
