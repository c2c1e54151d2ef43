/** An edit at one place of a file. The text to replace must occur in the file exactly once. */
export interface Edit {
  /** The file's path from the repository's root. */
  readonly path: string
  readonly find: string
  readonly replace: string
}

/** A planted bug. The simulator must find it, which proves that the simulator detects such bugs. */
export interface Mutant {
  readonly name: string
  readonly edits: readonly Edit[]
  /** The number of seeds within which the simulator must find the bug. */
  readonly seedsMax: number
}

export const SETTLEMENT = 'packages/server/src/settlement'
export const MEMORY = 'sim/store'
export const PAY_STORE = `${MEMORY}/memory-pay-store.ts`

/** A bug that consists of one edit. */
export const mutant = (
  name: string,
  path: string,
  find: string,
  replace: string,
  seedsMax = 20,
): Mutant => ({
  name,
  edits: [{ path, find, replace }],
  seedsMax,
})
