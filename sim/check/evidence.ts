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
