import type { Address, Instruction, KeyPairSigner } from '@solana/kit'
import type { ProgramErrorName } from '@sotto/protocol'
import type { History } from './history.ts'
import type { Model } from './model.ts'
import type { Snapshot } from './snapshot-shape.ts'

/** A refusal by name; `elsewhere` is one by the System or Token program, or by the runtime. */
export type Refusal = ProgramErrorName | 'elsewhere'

/** A transaction, and what the model says of it. */
export interface Attempt {
  readonly signers: readonly KeyPairSigner[]
  readonly instructions: readonly Instruction[]
  /** Every reason to refuse it. It must land if there is none, and else be refused for one of these. */
  readonly reasons: ReadonlySet<Refusal>
  /** What landing does to the model. */
  readonly apply: () => void
  /** What a refusal does to the model, if drawing up the attempt changed it. */
  readonly discard?: () => void
  /** Who is paid by settlements. */
  readonly payees: readonly Address[]
  /** What landing is on record as, for the invariants. */
  readonly record?: (history: History) => void
}

/** A sequence on its way. */
export interface Run {
  readonly snapshot: Snapshot
  readonly model: Model
  readonly history: History
}

/** Collects the reasons whose condition holds. */
export function reasonsOf(rules: readonly (readonly [boolean, Refusal])[]): Set<Refusal> {
  return new Set(rules.flatMap(([isBroken, refusal]) => (isBroken ? [refusal] : [])))
}
