import type { Address } from '@solana/kit'

/** The payout of a settlement, and the account that gets it. */
interface Payment {
  readonly account: Address
  readonly payout: bigint
}

interface Swap {
  readonly asset: 0 | 1
  /** The inventory before the swap; undefined if another part of the transaction may also have changed it. */
  readonly inventoryBefore: bigint | undefined
  readonly value: bigint
  readonly clock: bigint
}

/** The amounts that swaps took from an asset since its limits last changed. */
export interface Outflow {
  swapCap: bigint
  swapPeriodSeconds: bigint
  swaps: { readonly clock: bigint; readonly value: bigint }[]
}

const noOutflow = (): Outflow => ({ swapCap: 0n, swapPeriodSeconds: 0n, swaps: [] })

/**
 * The landed transactions, recorded independently of the model. The checks of the invariants use only this history and
 * the accounts.
 */
export interface History {
  /** Number of deposits of each order, by the hex digits of its id. */
  readonly deposits: Map<string, number>
  /** Number of settlements of each note, by leaf index. */
  readonly settlements: Map<bigint, number>
  /** The sum of all unsettled notes of each asset, including change notes. */
  readonly open: [bigint, bigint]
  /** The payouts of the last transaction's settlements. */
  paid: Payment[]
  /** The amounts that the last transaction's swaps took from an asset. */
  swaps: Swap[]
  /** For each asset: the swaps that took the asset since its limits last changed. */
  readonly outflows: [Outflow, Outflow]
  /** The time rule that a step has broken; undefined if there is none. */
  lateness: string | undefined
}

export const emptyHistory = (): History => ({
  deposits: new Map(),
  settlements: new Map(),
  open: [0n, 0n],
  paid: [],
  swaps: [],
  outflows: [noOutflow(), noOutflow()],
  lateness: undefined,
})

/** The history of a sequence that continues after `base`. */
export const continueHistory = (base: History): History => ({
  ...structuredClone(base),
  paid: [],
  swaps: [],
  lateness: undefined,
})

export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
