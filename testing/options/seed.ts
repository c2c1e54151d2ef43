import { randomInt } from 'node:crypto'

/** The greatest seed that an option takes and that is drawn. */
export const SEED_MAX = 2 ** 31 - 1

/** The options with a drawn seed where none was given. */
export function withSeed<Given extends { readonly seed?: number }>(
  given: Given,
): Given & { readonly seed: number } {
  return { ...given, seed: given.seed ?? randomInt(SEED_MAX) }
}
