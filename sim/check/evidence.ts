import type { Note } from '@sotto/protocol'
import type { Scene } from '../run/scene.ts'

/** What a customer can testify: their ticket says which note their order is. */
export interface Witness {
  readonly order: { readonly key: string; readonly note: Note } | undefined
}

/** What the checks look at. */
export interface Evidence extends Scene {
  readonly customers: readonly Witness[]
}

/** False once any clock was ever wrong: what is measured by them can't be held to seconds then. */
export function areClocksTrue({ faults: { fired } }: Evidence): boolean {
  const jumps = ['wall_clock_jump', 'chain_clock_lag', 'chain_clock_leap'] as const
  return jumps.every((kind) => fired[kind] === undefined)
}
