import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import type { ProgramErrorName } from '@sotto/protocol'
import type { History } from './history.ts'
import type { Model } from './model.ts'
import type { Snapshot } from './snapshot-shape.ts'

/** A refusal, by name. `elsewhere` is a refusal by the System program, a Token program or the runtime. */
export type Refusal = ProgramErrorName | 'elsewhere'

/** A transaction, and the result that the model expects. */
export interface Attempt {
  readonly signers: readonly KeyPairSigner[]
  readonly instructions: readonly Instruction[]
  /**
   * Every reason to refuse the transaction. If there is no reason, the transaction must land. Otherwise the chain must
   * refuse it for one of these reasons.
   */
  readonly reasons: ReadonlySet<Refusal>
  /** Applies the transaction's effect to the model. Called when the transaction lands. */
  readonly apply: () => void
  /** Undoes the changes that preparing the transaction made to the model. Called when the transaction is refused. */
  readonly discard?: () => void
  /** The payees of the transaction's settlements. */
  readonly payees: readonly Address[]
  /** Records the landed transaction in the history, for the invariants. */
  readonly record?: (history: History) => void
}

/** The state of a running sequence. */
export interface Run {
  readonly snapshot: Snapshot
  readonly model: Model
  readonly history: History
}

/** Returns the reasons whose condition is true. */
export function reasonsOf(rules: readonly (readonly [boolean, Refusal])[]): Set<Refusal> {
  return new Set(rules.flatMap(([isBroken, refusal]) => (isBroken ? [refusal] : [])))
}
