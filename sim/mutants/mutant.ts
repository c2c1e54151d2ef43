/** A change of one place in a file; its text must occur in the file exactly once. */
export interface Edit {
  /** The file's path from the repository's root. */
  readonly path: string
  readonly find: string
  readonly replace: string
}

/** A bug that the simulator must find, to prove that it detects such bugs. */
export interface Mutant {
  readonly name: string
  readonly edits: readonly Edit[]
  /** The number of seeds within which it must be found. */
  readonly seedsMax: number
}

export const SETTLEMENT = 'packages/server/src/settlement'
export const MEMORY = 'sim/store'
export const PAY_STORE = `${MEMORY}/memory-pay-store.ts`

/** A bug that takes one change to plant. */
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
