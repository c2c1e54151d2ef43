import type { Address } from '@solana/kit'

/** What a settlement may have paid: at least the note, at most the note and its fee. */
interface Payment {
  readonly account: Address
  readonly least: bigint
  readonly most: bigint
}

/** What landed, kept apart from the model: the invariants are judged by this and the accounts alone. */
export interface History {
  /** How often each order was deposited, by the id's hex. */
  readonly deposits: Map<string, number>
  /** How often each note was settled, by leaf index. */
  readonly settlements: Map<bigint, number>
  /** The sum of notes that were made and not settled, by asset. */
  readonly open: [bigint, bigint]
  /** What the last step paid, if it was a settlement. */
  paid: Payment | undefined
  /** What the last step swapped out of an asset, if it was a swap. */
  swapped: { readonly asset: 0 | 1; readonly inventoryBefore: bigint } | undefined
  /** What the last step broke of the rules of time. */
  lateness: string | undefined
}

export const emptyHistory = (): History => ({
  deposits: new Map(),
  settlements: new Map(),
  open: [0n, 0n],
  paid: undefined,
  swapped: undefined,
  lateness: undefined,
})

/** The history of a sequence that goes on from `base`. */
export const continueHistory = (base: History): History => ({
  ...structuredClone(base),
  paid: undefined,
  swapped: undefined,
  lateness: undefined,
})

export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
