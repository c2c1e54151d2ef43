import type { Settlement } from '@sotto/protocol'
import type { Address, Instruction } from '@solana/kit'
import type { History } from './history.ts'
import type { Model } from './model.ts'
import type { SnapshotOrder } from './snapshot-orders.ts'
import type { World } from './world.ts'

/** A settlement with its proof, and everything that a step needs to send it or to change it. */
export interface PreparedSettlement {
  readonly note: number
  readonly asset: 0 | 1
  readonly settlement: Settlement
  readonly instruction: Instruction
  readonly expiry: bigint
  readonly nullifierAccount: Address
  /** The account that receives the payout. */
  readonly pocket: Address
  /** The root in the settlement's proof. */
  readonly root: Uint8Array
  /** The values that a forger puts in the place of the genuine values. */
  readonly another: {
    readonly nullifier: bigint
    readonly nullifierAccount: Address
    readonly changeLeaf: bigint
    readonly thief: Address
    readonly thiefPocket: Address
  }
}

/** The start of every sequence: a pool with open notes, its model, and proofs for the notes. */
export interface Snapshot {
  readonly world: World
  readonly orders: readonly SnapshotOrder[]
  readonly settlements: readonly PreparedSettlement[]
  /**
   * The newest checkpoint's index at the start. Until a leaf is added, the checkpoint's root is the root in the
   * recorded proofs.
   */
  readonly checkpoint: number
  readonly model: Model
  readonly history: History
}
