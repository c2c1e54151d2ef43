import type { Note } from '@sotto/protocol'
import type { KnownBalance } from '../chain/spent-notes.ts'
import type { Scene } from '../run/scene.ts'

/** The part of a customer's data with which the checks find the order's note. */
export interface Witness {
  readonly order: { readonly key: string; readonly note: Note } | undefined
}

/** The input of the checks. */
export interface Evidence extends Scene {
  readonly customers: readonly Witness[]
  readonly owners: readonly KnownBalance[]
}

/** False if any clock was ever wrong in the run. Then times can't be checked to the second. */
export function areClocksTrue({ faults: { fired } }: Evidence): boolean {
  const jumps = ['wall_clock_jump', 'chain_clock_lag', 'chain_clock_leap'] as const
  return jumps.every((kind) => fired[kind] === undefined)
}
