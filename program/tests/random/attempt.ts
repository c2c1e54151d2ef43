import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import type { ProgramErrorName } from '@sotto/protocol'
import type { History } from './history.ts'
import type { Model } from './model.ts'
import type { Snapshot } from './snapshot-shape.ts'

/** A refusal by name. `elsewhere` means one by the System or Token program, or by the runtime. */
export type Refusal = ProgramErrorName | 'elsewhere'

/** A transaction, and the model's verdict. */
export interface Attempt {
  readonly signers: readonly KeyPairSigner[]
  readonly instructions: readonly Instruction[]
  /**
   * Every reason to refuse the transaction. If there is none, it must land; otherwise the refusal must be one of these.
   */
  readonly reasons: ReadonlySet<Refusal>
  /** Applies the transaction's effect to the model when it lands. */
  readonly apply: () => void
  /** Undoes the changes of the model that preparing the transaction made. Called when the transaction is refused. */
  readonly discard?: () => void
  /** The payees of settlements. */
  readonly payees: readonly Address[]
  /** Records the landing in the history, for the invariants. */
  readonly record?: (history: History) => void
}

/** The state of a running sequence. */
export interface Run {
  readonly snapshot: Snapshot
  readonly model: Model
  readonly history: History
}

/** Returns the reasons whose condition holds. */
export function reasonsOf(rules: readonly (readonly [boolean, Refusal])[]): Set<Refusal> {
  return new Set(rules.flatMap(([isBroken, refusal]) => (isBroken ? [refusal] : [])))
}
